// SPDX-License-Identifier: Apache-2.0
// Private: the search structures behind NeighborIndex, all for squared Euclidean distance.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "neighbors/neighbors.h"

namespace foldout {

/// A sample and its squared distance, ordered by distance, then by index: the order that breaks all ties.
struct Candidate {
  double squared_distance = 0;
  int index = 0;
  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

/// A search by squared Euclidean distance; the results contain squared distances.
class EuclideanSearch {
 public:
  virtual ~EuclideanSearch() = default;
  [[nodiscard]] virtual NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const = 0;
  /// The k nearest other samples of every sample.
  [[nodiscard]] virtual NeighborTable all_pairs(Index k, const RunContext& context) const = 0;
};

/// Removes sample i from its own list of k + 1, or the last entry if many duplicates have displaced the sample.
[[nodiscard]] NeighborTable without_self(const NeighborTable& table);

[[nodiscard]] std::unique_ptr<EuclideanSearch> make_brute_force(const MatrixRef& samples);
[[nodiscard]] std::unique_ptr<EuclideanSearch> make_kd_tree(const MatrixRef& samples);
[[nodiscard]] std::unique_ptr<EuclideanSearch> make_approximate(const MatrixRef& samples, std::uint64_t seed);

/// closest_gaps() by one KD-tree per group, and by blocked products, for all groups except `skip`.
[[nodiscard]] std::vector<Gap> closest_gaps_kd_tree(const MatrixRef& samples, const std::vector<int>& group,
                                                    int n_groups, int skip, const RunContext& context);
[[nodiscard]] std::vector<Gap> closest_gaps_brute_force(const MatrixRef& samples, const std::vector<int>& group,
                                                        int n_groups, int skip, const RunContext& context);

/// Passes the samples within a squared distance of each sample, unordered and including itself, to `sink`.
using CandidateSink = std::function<void(Index i, std::vector<Candidate>& found)>;
void within_kd_tree(const MatrixRef& samples, double limit, const CandidateSink& sink, const RunContext& context);

/// Writes the k smallest candidates, in order, into row i of the table.
void write_nearest(std::vector<Candidate>& candidates, Index i, NeighborTable& table);

}  // namespace foldout
