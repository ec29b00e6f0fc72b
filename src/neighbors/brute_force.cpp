// SPDX-License-Identifier: Apache-2.0
// Exact nearest neighbours by blocked products. Distances to all samples come from one product in float32; every
// sample that could be among the k nearest, given the error of float32, is then ranked by its distance in float64. The
// result is therefore exact, with ties broken by index, and does not depend on how queries are batched.
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <span>

#include "core/parallel.h"
#include "linalg/distance.h"
#include "linalg/products.h"
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

  explicit FloatUnits(const MatrixRef& samples) {
    int exponent = 0;
    std::frexp(samples.cwiseAbs().maxCoeff(), &exponent);
    scale = std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
    center = (samples * scale).colwise().mean();
  }
};

struct FloatSamples {
  FloatRows X;
  FloatVector squared_norms;

  FloatSamples(const MatrixRef& samples, const FloatUnits& units)
      : X(((samples * units.scale).rowwise() - units.center).cast<float>()), squared_norms(X.rowwise().squaredNorm()) {}
};

class BruteForce final : public SearchStructure {
 public:
  explicit BruteForce(const MatrixRef& samples)
      : samples_(samples),
        units_(samples),
        floats_(samples, units_),
        largest_norm_(floats_.squared_norms.size() ? std::sqrt(floats_.squared_norms.maxCoeff()) : 0.0F) {}

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    return query(queries, k, {}, context);
  }

  // Every product of two blocks serves the rows of both: half the work of querying all samples. The pairs of blocks
  // form rounds, as in a tournament; no block occurs twice in a round, so no two threads write to the same row.
  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const override {
    const Index n = samples_.rows(), n_blocks = (n + kSide - 1) / kSide, players = n_blocks + n_blocks % 2;
    std::vector<Row> rows(static_cast<std::size_t>(n));
    parallel_for(n_blocks, context, [&](Index b) { play(b, b, k, rows); });
    for (Index round = 0; round + 1 < players; ++round) {
      parallel_for(players / 2, context, [&](Index game) {
        const Index a = game == 0 ? players - 1 : (round + game) % (players - 1);
        const Index b = (round + players - 1 - game) % (players - 1);
        if (a < n_blocks && b < n_blocks) play(a, b, k, rows);
      });
      context.tick("neighbors", static_cast<double>(round + 1) / static_cast<double>(players));
    }
    NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                        std::vector<double>(static_cast<std::size_t>(n * k))};
    parallel_blocks(n, kSide, context, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) rank(samples_.row(i).data(), rows[static_cast<std::size_t>(i)], i, table);
    });
    return table;
  }

  // Excludes samples of the query's own group, if groups are given.
  struct Groups {
    std::span<const int> of_query, of_sample;
    [[nodiscard]] bool same(Index query, Index sample) const {
      return !of_query.empty() &&
             of_query[static_cast<std::size_t>(query)] == of_sample[static_cast<std::size_t>(sample)];
    }
  };
  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const Groups& groups,
                                    const RunContext& context) const {
    const Index n = queries.rows();
    NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                        std::vector<double>(static_cast<std::size_t>(n * k))};
    parallel_blocks(
        n, kQueryRows, context, [&](Index begin, Index end) { query_block(queries, begin, end, groups, table); },
        "neighbors");
    return table;
  }

 private:
  static constexpr float kFloatRange = 1e12F;  // of squared norms; those of samples are at most 4 per feature
  static constexpr Index kSide = 512;          // rows of a block in all_pairs()
  static constexpr Index kQueryRows = 512;     // queries per block
  static constexpr Index kSampleRows = 2048;   // samples per product: the tile stays in the cache

  // The largest error of a float32 distance: rounding of the D products and of the norms, with a margin.
  [[nodiscard]] float margin(float query_norm) const {
    const float reach = query_norm + largest_norm_;
    const auto dimension = static_cast<float>(samples_.cols());
    return std::numeric_limits<float>::epsilon() * (8 + 2 * std::sqrt(dimension)) * reach * reach;
  }

  // The samples that may still be among the k nearest, given the distances scanned so far.
  struct Row {
    std::priority_queue<float> nearest;  // the k smallest so far
    std::vector<std::pair<float, int>> kept;
    float bound = std::numeric_limits<float>::infinity();
    std::size_t prune_at = 256;
  };

  void play(Index a, Index b, Index k, std::vector<Row>& rows) const {
    const Index a_first = a * kSide, b_first = b * kSide;
    const Index a_count = std::min(kSide, samples_.rows() - a_first),
                b_count = std::min(kSide, samples_.rows() - b_first);
    FloatRows tile;
    multiply_transposed(floats_.X.middleRows(a_first, a_count), floats_.X.middleRows(b_first, b_count), tile);
    for (Index i = 0; i < a_count; ++i)
      to_distances(tile.row(i).data(), b_first, b_count, floats_.squared_norms[a_first + i]);
    if (a == b) tile.diagonal().setConstant(std::numeric_limits<float>::infinity());
    scan_tile(tile, a_first, b_first, k, rows);
    if (a == b) return;
    tile.transposeInPlace();
    scan_tile(tile, b_first, a_first, k, rows);
  }

  void scan_tile(const FloatRows& tile, Index row_first, Index column_first, Index k, std::vector<Row>& rows) const {
    for (Index i = 0; i < tile.rows(); ++i) {
      const float slack = 2 * margin(std::sqrt(floats_.squared_norms[row_first + i]));
      scan(tile.row(i).data(), column_first, tile.cols(), row_first + i, {}, k, slack,
           rows[static_cast<std::size_t>(row_first + i)]);
    }
  }

  void query_block(const MatrixRef& queries, Index begin, Index end, const Groups& groups, NeighborTable& table) const {
    const Index rows = end - begin, n = samples_.rows();
    const FloatSamples block(queries.middleRows(begin, rows), units_);
    std::vector<Row> state(static_cast<std::size_t>(rows));
    std::vector<float> margins(static_cast<std::size_t>(rows));
    for (Index r = 0; r < rows; ++r) margins[static_cast<std::size_t>(r)] = margin(std::sqrt(block.squared_norms[r]));
    FloatRows tile;
    for (Index first = 0; first < n; first += kSampleRows) {
      const Index count = std::min(kSampleRows, n - first);
      multiply_transposed(block.X, floats_.X.middleRows(first, count), tile);
      for (Index r = 0; r < rows; ++r) {
        const auto at = static_cast<std::size_t>(r);
        if (!(block.squared_norms[r] < kFloatRange)) continue;
        to_distances(tile.row(r).data(), first, count, block.squared_norms[r]);
        scan(tile.row(r).data(), first, count, begin + r, groups, table.k, 2 * margins[at], state[at]);
      }
    }
    for (Index r = 0; r < rows; ++r) {
      const bool in_range = block.squared_norms[r] < kFloatRange;
      if (in_range)
        rank(queries.row(begin + r).data(), state[static_cast<std::size_t>(r)], begin + r, table);
      else
        rank_all(queries.row(begin + r).data(), begin + r, groups, table);
    }
  }

  void to_distances(float* products, Index first, Index count, float query_norm) const {
    const float* norms = floats_.squared_norms.data() + first;
    for (Index j = 0; j < count; ++j) products[j] = query_norm + norms[j] - 2 * products[j];
  }

  static void scan(const float* distances, Index first, Index count, Index query, const Groups& groups, Index k,
                   float slack, Row& row) {
    for (Index j = 0; j < count; ++j) {
      const float distance = distances[j];
      if (distance > row.bound || groups.same(query, first + j)) continue;
      row.kept.emplace_back(distance, static_cast<int>(first + j));
      if (static_cast<Index>(row.nearest.size()) < k) {
        row.nearest.push(distance);
      } else if (distance < row.nearest.top()) {
        row.nearest.pop();
        row.nearest.push(distance);
      }
      if (static_cast<Index>(row.nearest.size()) == k) row.bound = row.nearest.top() + slack;
      if (row.kept.size() == row.prune_at) {
        std::erase_if(row.kept, [&](const auto& candidate) { return candidate.first > row.bound; });
        row.prune_at = 2 * row.kept.size() + static_cast<std::size_t>(8 * k);
      }
    }
  }

  // For queries so distant that float32 cannot distinguish the samples.
  void rank_all(const double* query, Index i, const Groups& groups, NeighborTable& table) const {
    std::vector<Candidate> candidates;
    for (Index j = 0; j < samples_.rows(); ++j)
      if (!groups.same(i, j))
        candidates.push_back({squared_distance(query, samples_.row(j).data(), samples_.cols()), static_cast<int>(j)});
    write_nearest(candidates, i, table);
  }

  void rank(const double* query, const Row& row, Index i, NeighborTable& table) const {
    std::vector<Candidate> candidates;
    for (const auto& [distance, index] : row.kept)
      if (distance <= row.bound)
        candidates.push_back({squared_distance(query, samples_.row(index).data(), samples_.cols()), index});
    write_nearest(candidates, i, table);
  }

  MatrixRef samples_;
  FloatUnits units_;
  FloatSamples floats_;
  float largest_norm_;
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
