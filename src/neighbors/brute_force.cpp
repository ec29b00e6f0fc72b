// SPDX-License-Identifier: Apache-2.0
// Exact nearest neighbours by blocked products. Distances to all samples, or lower bounds of them from the leading
// features, come from one product in float32; every sample that could be among the k nearest, given the error of
// float32, is then ranked by its distance in float64. The result is therefore exact, with ties broken by index, and
// does not depend on how queries are batched.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <span>

#include "core/parallel.h"
#include "linalg/distance.h"
#include "linalg/loops.h"
#include "linalg/products.h"
#include "neighbors/float_ranking.h"
#include "neighbors/leading_features.h"
#include "neighbors/neighbors.h"
#include "neighbors/searches.h"

namespace foldout {
namespace {

using FloatVector = Eigen::VectorXf;

// Conversion to float32: centred (smaller numbers, smaller errors) and scaled by a power of two, so that squares
// neither overflow nor underflow, whatever the unit of the samples.
struct FloatUnits {
  double scale = 1;
  Eigen::RowVectorXd center;  // in scaled units

  explicit FloatUnits(const MatrixRef& samples) : center(Eigen::RowVectorXd::Zero(samples.cols())) {
    double largest = 0;
    for (Index i = 0; i < samples.rows(); ++i) largest = std::max(largest, samples.row(i).cwiseAbs().maxCoeff());
    int exponent = 0;
    std::frexp(largest, &exponent);
    scale = std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
    for (Index i = 0; i < samples.rows(); ++i) center += samples.row(i) * scale;
    center /= static_cast<double>(samples.rows());
  }
  // Whether squared distances in float64 and those in float32 have the same order.
  [[nodiscard]] bool squares_are_normal() const { return scale > 1e-120 && scale < 1e120; }
};

// Samples in float32 as rows (x, ‖x‖², 1). With rows (−2y, 1, ‖y‖²) one product gives all ‖x − y‖².
struct FloatSamples {
  FloatRows rows;
  FloatVector squared_norms;

  FloatSamples(const MatrixRef& samples, const FloatUnits& units, const LeadingFeatures* leading) {
    constexpr Index kRows = 1024;  // few are copied at a time
    for (Index first = 0; first < samples.rows(); first += kRows) {
      const Index count = std::min(kRows, samples.rows() - first);
      const Matrix X = (samples.middleRows(first, count) * units.scale).rowwise() - units.center;
      const Matrix features = leading ? leading->of(X) : Matrix();
      const Matrix& x = leading ? features : X;
      if (first == 0) rows.resize(samples.rows(), x.cols() + 2);
      rows.block(first, 0, count, x.cols()) = x.cast<float>();
    }
    if (samples.rows() == 0) return;
    const Index d = rows.cols() - 2;
    squared_norms = rows.leftCols(d).rowwise().squaredNorm();
    rows.col(d) = squared_norms;
    rows.col(d + 1).setOnes();
  }

  [[nodiscard]] Index size() const { return rows.rows(); }
  [[nodiscard]] FloatRows left(Index first, Index count) const {
    const Index d = rows.cols() - 2;
    FloatRows side(count, d + 2);
    side.leftCols(d) = -2 * rows.block(first, 0, count, d);
    side.col(d).setOnes();
    side.col(d + 1) = squared_norms.segment(first, count);
    return side;
  }
};

// The samples in the form that the number of queries calls for, made on first use.
class FloatForms {
 public:
  explicit FloatForms(const MatrixRef& samples) : samples_(samples), units_(samples) {}

  struct Form {
    Form(const MatrixRef& samples, const FloatUnits& units, std::optional<LeadingFeatures> found)
        : leading(std::move(found)),
          floats(samples, units, leading ? &*leading : nullptr),
          largest_norm(floats.size() > 0 ? std::sqrt(floats.squared_norms.maxCoeff()) : 0.0F) {}
    std::optional<LeadingFeatures> leading;
    FloatSamples floats;
    float largest_norm;
  };

  // Leading features pay for themselves from some hundred queries on, which may come one at a time.
  [[nodiscard]] const Form& for_queries(Index count) const {
    constexpr Index kMany = 128;
    if ((n_queries_ += count) >= kMany && units_.squares_are_normal()) {
      std::call_once(many_once_, [this] {
        if (auto leading = LeadingFeatures::find(samples_, units_.center, units_.scale))
          many_.emplace(samples_, units_, std::move(leading));
      });
      if (many_) return *many_;
    }
    std::call_once(few_once_, [this] { few_.emplace(samples_, units_, std::nullopt); });
    return *few_;
  }
  [[nodiscard]] const FloatUnits& units() const { return units_; }

 private:
  MatrixRef samples_;
  FloatUnits units_;
  mutable std::atomic<Index> n_queries_ = 0;
  mutable std::once_flag few_once_, many_once_;
  mutable std::optional<Form> few_, many_;
};

class BruteForce final : public SearchStructure {
 public:
  explicit BruteForce(const MatrixRef& samples) : samples_(samples), forms_(samples) {}

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    return query(queries, k, {}, context);
  }

  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const override {
    const FloatForms::Form& form = forms_.for_queries(samples_.rows());
    return form.leading ? tournament<RankingByBound>(form, k, context)
                        : tournament<RankingByDistance>(form, k, context);
  }

  // The groups of queries and of samples, if a query's own group is to be excluded.
  struct Groups {
    std::span<const int> of_query, of_sample;
  };
  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const Groups& groups,
                                    const RunContext& context) const {
    const Index n = queries.rows();
    NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                        std::vector<double>(static_cast<std::size_t>(n * k))};
    if (samples_.rows() <= kFewSamples) {
      parallel_blocks(
          n, rows_per_block(n, context), context,
          [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) compare_with_all(queries, i, groups, table);
          },
          "neighbors");
      return table;
    }
    const FloatForms::Form& form = forms_.for_queries(n);
    parallel_blocks(
        n, rows_per_block(n, context), context,
        [&](Index begin, Index end) {
          if (form.leading)
            query_block<RankingByBound>(form, queries, begin, end, groups, table);
          else
            query_block<RankingByDistance>(form, queries, begin, end, groups, table);
        },
        "neighbors");
    return table;
  }

 private:
  static constexpr float kFloatRange = 1e12F;  // of squared norms; those of samples are at most 4 per feature
  static constexpr Index kSide = 512;          // rows of a block in all_pairs()
  static constexpr Index kQueryRows = 512;     // queries per block
  static constexpr Index kFewSamples = 24;     // are compared in float64 at once
  static constexpr Index kSampleRows = 2048;   // samples per product: the tile stays in the cache
  static constexpr Index kFirstRows = 256;     // of the first product, whose values have no bound to meet

  // Few queries are still divided among the threads.
  static Index rows_per_block(Index n, const RunContext& context) {
    return std::clamp<Index>(n / (Index{2} * context.threads()), 64, kQueryRows);
  }

  // Twice the largest error of a float32 distance: rounding of the D products and of the norms, with a margin.
  static float slack(const FloatForms::Form& form, float query_norm) {
    const float reach = query_norm + form.largest_norm;
    const auto dimension = static_cast<float>(form.floats.rows.cols());
    return 2 * std::numeric_limits<float>::epsilon() * (8 + 2 * std::sqrt(dimension)) * reach * reach;
  }

  [[nodiscard]] FloatQuery query_of(const FloatForms::Form& form, const double* sample, float squared_norm,
                                    Index k) const {
    const double scale = forms_.units().scale;
    return {sample, samples_, k, slack(form, std::sqrt(squared_norm)), scale * scale, 0, {}};
  }
  [[nodiscard]] FloatQuery query_of(const FloatForms::Form& form, Index row, Index k) const {
    return query_of(form, samples_.row(row).data(), form.floats.squared_norms[row], k);
  }

  // Every product of two blocks serves the rows of both: half the work of querying all samples. The pairs of blocks
  // form rounds, as in a tournament; no block occurs twice in a round, so no two threads write to the same row.
  template <class Ranking>
  [[nodiscard]] NeighborTable tournament(const FloatForms::Form& form, Index k, const RunContext& context) const {
    const Index n = samples_.rows(), n_blocks = (n + kSide - 1) / kSide, players = n_blocks + n_blocks % 2;
    std::vector<Ranking> rankings(static_cast<std::size_t>(n));
    const auto play_one = [&](Index a, Index b) { play(form, a, b, k, rankings); };
    parallel_for(n_blocks, context, [&](Index b) { play_one(b, b); });
    for (Index round = 0; round + 1 < players; ++round) {
      parallel_for(players / 2, context, [&](Index game) {
        const Index a = game == 0 ? players - 1 : (round + game) % (players - 1);
        const Index b = (round + players - 1 - game) % (players - 1);
        if (a < n_blocks && b < n_blocks) play_one(a, b);
      });
      context.tick("neighbors", static_cast<double>(round + 1) / static_cast<double>(players));
    }
    NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                        std::vector<double>(static_cast<std::size_t>(n * k))};
    parallel_blocks(n, kSide, context, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        auto candidates = rankings[static_cast<std::size_t>(i)].candidates(query_of(form, i, k));
        write_nearest(candidates, i, table);
      }
    });
    return table;
  }

  template <class Ranking>
  void play(const FloatForms::Form& form, Index a, Index b, Index k, std::vector<Ranking>& rankings) const {
    const Index a_first = a * kSide, b_first = b * kSide;
    const Index a_count = std::min(kSide, samples_.rows() - a_first),
                b_count = std::min(kSide, samples_.rows() - b_first);
    FloatRows tile;
    multiply_transposed(form.floats.left(a_first, a_count), form.floats.rows.middleRows(b_first, b_count), tile);
    if (a == b) tile.diagonal().setConstant(std::numeric_limits<float>::quiet_NaN());  // below no bound
    for (Index i = 0; i < a_count; ++i) {
      const Index row = a_first + i;
      rankings[static_cast<std::size_t>(row)].scan(query_of(form, row, k), tile.row(i).data(), b_first, b_count);
    }
    if (a == b) return;
    // The same values are those of the rows of b, one column each.
    FloatVector bounds(b_count);
    for (Index j = 0; j < b_count; ++j) bounds[j] = rankings[static_cast<std::size_t>(b_first + j)].bound();
    for (Index i = 0; i < a_count; ++i) {
      const float* values = tile.row(i).data();
      for (Index j = next_at_most(bounds.data(), values, 0, b_count); j < b_count;
           j = next_at_most(bounds.data(), values, j + 1, b_count)) {
        Ranking& ranking = rankings[static_cast<std::size_t>(b_first + j)];
        ranking.add(query_of(form, b_first + j, k), values[j], static_cast<int>(a_first + i));
        bounds[j] = ranking.bound();
      }
    }
  }

  template <class Ranking>
  void query_block(const FloatForms::Form& form, const MatrixRef& queries, Index begin, Index end, const Groups& groups,
                   NeighborTable& table) const {
    const Index rows = end - begin, n = samples_.rows();
    const FloatSamples block(queries.middleRows(begin, rows), forms_.units(), form.leading ? &*form.leading : nullptr);
    const FloatRows left = block.left(0, rows);
    std::vector<Ranking> rankings(static_cast<std::size_t>(rows));
    std::vector<FloatQuery> about;
    for (Index r = 0; r < rows; ++r) {
      about.push_back(query_of(form, queries.row(begin + r).data(), block.squared_norms[r], table.k));
      exclude_group(begin + r, groups, about.back());
    }
    FloatRows tile;
    Index count = std::min(kFirstRows, n);
    for (Index first = 0; first < n; first += count, count = std::min(kSampleRows, n - first)) {
      compare(left, form.floats.rows.middleRows(first, count), tile);
      for (Index r = 0; r < rows; ++r)
        if (const auto at = static_cast<std::size_t>(r); block.squared_norms[r] < kFloatRange)
          rankings[at].scan(about[at], tile.row(r).data(), first, count);
    }
    for (Index r = 0; r < rows; ++r) {
      const FloatQuery& query = about[static_cast<std::size_t>(r)];
      auto candidates = block.squared_norms[r] < kFloatRange ? rankings[static_cast<std::size_t>(r)].candidates(query)
                                                             : all_candidates(query);
      write_nearest(candidates, begin + r, table);
    }
  }

  // BLAS copies the samples first, which does not pay for a few queries.
  static void compare(const FloatRows& queries, const Eigen::Ref<const FloatRows>& samples, FloatRows& tile) {
    constexpr Index kFewQueries = 4;
    if (queries.rows() > kFewQueries) return multiply_transposed(queries, samples, tile);
    tile.resize(queries.rows(), samples.rows());
    for (Index r = 0; r < queries.rows(); ++r)
      dot_rows(tile.row(r).data(), samples.data(), samples.rows(), queries.row(r).data(), queries.cols());
  }

  static void exclude_group(Index row, const Groups& groups, FloatQuery& query) {
    if (groups.of_query.empty()) return;
    query.group = groups.of_query[static_cast<std::size_t>(row)];
    query.groups = groups.of_sample;
  }

  void compare_with_all(const MatrixRef& queries, Index row, const Groups& groups, NeighborTable& table) const {
    FloatQuery query{queries.row(row).data(), samples_, table.k, 0, 1, 0, {}};
    exclude_group(row, groups, query);
    auto candidates = all_candidates(query);
    write_nearest(candidates, row, table);
  }

  // For queries so distant that float32 cannot distinguish the samples.
  static std::vector<Candidate> all_candidates(const FloatQuery& query) {
    std::vector<Candidate> candidates;
    for (int j = 0; j < static_cast<int>(query.samples.rows()); ++j)
      if (!query.excludes(j)) candidates.push_back(query.exact(j));
    return candidates;
  }

  MatrixRef samples_;
  FloatForms forms_;
};

}  // namespace

std::vector<Gap> closest_gaps_brute_force(const MatrixRef& samples, const Grouping& groups, const RunContext& context) {
  const std::vector<int>& group = groups.of;
  std::vector<int> rows, row_groups;
  for (std::size_t i = 0; i < group.size(); ++i)
    if (group[i] != groups.skip) {
      rows.push_back(static_cast<int>(i));
      row_groups.push_back(group[i]);
    }
  Matrix queries(static_cast<Index>(rows.size()), samples.cols());
  for (std::size_t r = 0; r < rows.size(); ++r) queries.row(static_cast<Index>(r)) = samples.row(rows[r]);
  const NeighborTable nearest = BruteForce(samples).query(queries, 1, {row_groups, group}, context);
  std::vector<Gap> gaps(static_cast<std::size_t>(groups.count), Gap{-1, -1, std::numeric_limits<double>::infinity()});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Gap& gap = gaps[static_cast<std::size_t>(row_groups[r])];
    const double distance = nearest.distances[r];
    if (distance < gap.distance) gap = {rows[r], nearest.indices[r], distance};
  }
  gaps.erase(gaps.begin() + groups.skip);
  return gaps;
}

std::unique_ptr<SearchStructure> make_brute_force(const MatrixRef& samples) {
  return std::make_unique<BruteForce>(samples);
}

}  // namespace foldout
