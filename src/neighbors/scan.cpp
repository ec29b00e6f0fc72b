// SPDX-License-Identifier: Apache-2.0
// Exact nearest neighbours by comparing every query with every sample, for metrics without products, and for
// precomputed distances.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "linalg/distance.h"
#include "linalg/metric_distances.h"
#include "neighbors/neighbors.h"
#include "neighbors/searches.h"

namespace foldout {
namespace {

// The measures of one sample to all others.
class Measures {
 public:
  Measures(const MatrixRef& samples, Metric metric) : samples_(samples), metric_(metric) {}

  /// Of precomputed distances only the number of columns counts.
  [[nodiscard]] Index count() const { return metric_ == Metric::kPrecomputed ? samples_.cols() : samples_.rows(); }

  template <class Use>
  void from(const double* query, Use use) const {
    const bool plain = metric_ == Metric::kManhattan || metric_ == Metric::kChebyshev;
    for (Index j = 0; j < count(); ++j) {
      if (metric_ == Metric::kPrecomputed)
        use(Candidate{query[j], static_cast<int>(j)});
      else if (plain)
        use(Candidate{distance_of(metric_, query, samples_.row(j).data(), samples_.cols()), static_cast<int>(j)});
      else
        use(Candidate{squared_distance(query, samples_.row(j).data(), samples_.cols()), static_cast<int>(j)});
    }
  }

 private:
  MatrixRef samples_;
  Metric metric_;
};

class Scan final : public SearchStructure {
 public:
  Scan(const MatrixRef& samples, Metric metric) : samples_(samples), metric_(metric), measures_(samples, metric) {}

  [[nodiscard]] NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const override {
    if (metric_ == Metric::kPrecomputed) require_distance_rows(queries);
    return table_of(queries, k, context, [](Index) { return -1; });
  }

  [[nodiscard]] NeighborTable all_pairs(Index k, const RunContext& context) const override {
    return table_of(samples_, k, context, [](Index i) { return static_cast<int>(i); });
  }

 private:
  template <class Excluded>
  [[nodiscard]] NeighborTable table_of(const MatrixRef& queries, Index k, const RunContext& context,
                                       Excluded excluded) const {
    const Index n = queries.rows();
    NeighborTable table{n, k, std::vector<int>(static_cast<std::size_t>(n * k)),
                        std::vector<double>(static_cast<std::size_t>(n * k))};
    parallel_for(
        n, context,
        [&](Index i) {
          std::vector<Candidate> candidates;
          candidates.reserve(static_cast<std::size_t>(measures_.count()));
          measures_.from(queries.row(i).data(), [&](const Candidate& candidate) {
            if (candidate.index != excluded(i)) candidates.push_back(candidate);
          });
          write_nearest(candidates, i, table);
        },
        "neighbors");
    return table;
  }

  MatrixRef samples_;
  Metric metric_;
  Measures measures_;
};

}  // namespace

std::unique_ptr<SearchStructure> make_scan(const MatrixRef& samples, Metric metric) {
  return std::make_unique<Scan>(samples, metric);
}

void within_scan(const MatrixRef& samples, double limit, Metric metric, const CandidateSink& sink,
                 const RunContext& context) {
  const Measures measures(samples, metric);
  parallel_for(
      samples.rows(), context,
      [&](Index i) {
        std::vector<Candidate> found;
        measures.from(samples.row(i).data(), [&](const Candidate& candidate) {
          if (candidate.measure <= limit) found.push_back(candidate);
        });
        sink(i, found);
      },
      "neighbors");
}

std::vector<Gap> closest_gaps_scan(const MatrixRef& samples, const Grouping& groups, Metric metric,
                                   const RunContext& context) {
  const Measures measures(samples, metric);
  const auto group_of = [&](Index i) { return groups.of[static_cast<std::size_t>(i)]; };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Candidate> nearest(groups.of.size(), Candidate{kInfinity, std::numeric_limits<int>::max()});
  parallel_for(samples.rows(), context, [&](Index i) {
    if (group_of(i) == groups.skip) return;
    measures.from(samples.row(i).data(), [&](const Candidate& candidate) {
      Candidate& best = nearest[static_cast<std::size_t>(i)];
      if (group_of(candidate.index) != group_of(i) && candidate < best) best = candidate;
    });
  });
  std::vector<Gap> gaps(static_cast<std::size_t>(groups.count), Gap{-1, -1, kInfinity});
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    Gap& gap = gaps[static_cast<std::size_t>(groups.of[i])];
    if (nearest[i].measure < gap.distance) gap = {static_cast<int>(i), nearest[i].index, nearest[i].measure};
  }
  gaps.erase(gaps.begin() + groups.skip);
  return gaps;
}

}  // namespace foldout
