// SPDX-License-Identifier: Apache-2.0
// Nearest neighbours. Exact unless approximate search is requested: the k nearest by distance, ties broken by index,
// the same for every exact search, number of threads and batch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "linalg/metric_distances.h"

namespace foldout {

struct NeighborOptions {
  Metric metric = Metric::kEuclidean;             ///< precomputed: samples and queries are rows of distances
  NeighborSearch search = NeighborSearch::kAuto;  ///< auto: KD-tree for up to 10 features, else blocked products
  std::uint64_t seed = 0;                         ///< of the approximate index
};

/// For each of n queries its k nearest samples, nearest first.
struct NeighborTable {
  Index n = 0, k = 0;
  std::vector<int> indices;       ///< n × k
  std::vector<double> distances;  ///< n × k, in the requested metric

  [[nodiscard]] std::span<const int> of(Index i) const { return {indices.data() + i * k, static_cast<std::size_t>(k)}; }
  [[nodiscard]] std::span<const double> distances_of(Index i) const {
    return {distances.data() + i * k, static_cast<std::size_t>(k)};
  }
};

/// Searches a fixed set of samples; const and thread-safe. Throws InvalidRow for a sample that the metric does not
/// apply to: one without a direction (cosine, correlation), or a negative distance (precomputed).
class NeighborIndex {
 public:
  virtual ~NeighborIndex() = default;
  /// The k nearest samples of every row of `queries`; k ≤ size().
  [[nodiscard]] virtual NeighborTable query(const MatrixRef& queries, Index k,
                                            const RunContext& context = {}) const = 0;
  /// The k nearest other samples of every sample; k < size().
  [[nodiscard]] virtual NeighborTable all_pairs(Index k, const RunContext& context = {}) const = 0;
  /// "brute_force", "kd_tree" or "approximate".
  [[nodiscard]] virtual std::string_view name() const = 0;
};

/// `samples` must outlive the index. Of precomputed distances only the number of columns counts, the number of samples.
[[nodiscard]] std::unique_ptr<NeighborIndex> make_neighbor_index(const Matrix& samples,
                                                                 const NeighborOptions& options = {});
[[nodiscard]] std::unique_ptr<NeighborIndex> make_neighbor_index(const MatrixRef& samples,
                                                                 const NeighborOptions& options = {});
std::unique_ptr<NeighborIndex> make_neighbor_index(Matrix&& samples, const NeighborOptions& options = {}) = delete;

/// The k nearest other samples of every sample: a sample is never its own neighbour, but its duplicates are.
[[nodiscard]] NeighborTable nearest_neighbors(const MatrixRef& samples, Index k, const NeighborOptions& options = {},
                                              const RunContext& context = {});

/// All samples within `radius` of each sample, itself excluded: lists of (index, distance), nearest first.
using NeighborLists = std::vector<std::vector<std::pair<int, double>>>;
[[nodiscard]] NeighborLists neighbors_within(const MatrixRef& samples, double radius,
                                             const NeighborOptions& options = {}, const RunContext& context = {});

/// Finds the samples of a fixed set within a radius of new ones, by the same distances as neighbors_within(); const and
/// thread-safe. `samples` must outlive it.
class BallIndex {
 public:
  BallIndex(const MatrixRef& samples, double radius, Metric metric);
  /// For each query the samples within the radius, nearest first; if there are none, the nearest sample alone, at its
  /// distance. A list does not depend on the other queries. Throws InvalidRow as NeighborIndex does.
  [[nodiscard]] NeighborLists query(const MatrixRef& queries) const;

 private:
  DistancesTo distances_;
  double radius_;
  Metric metric_;
};

/// The closest pair that joins a group of samples to any other group.
struct Gap {
  int from = 0, to = 0;
  double distance = 0;
};

/// For each group (group[i] in 0 … n_groups−1) except the largest, the closest pair that joins it to another.
[[nodiscard]] std::vector<Gap> closest_gaps(const MatrixRef& samples, const std::vector<int>& group, int n_groups,
                                            const NeighborOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
