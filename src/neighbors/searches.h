// SPDX-License-Identifier: Apache-2.0
// Private: the search structures behind NeighborIndex, all for squared Euclidean distance.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "neighbors/neighbors.h"

namespace foldout {

/// A sample and its squared distance, ordered by distance, then by index: the order that decides all ties.
struct Candidate {
  double squared_distance = 0;
  int index = 0;
  friend auto operator<=>(const Candidate&, const Candidate&) = default;
};

/// A search for squared Euclidean distances; the answers hold squared distances.
class EuclideanSearch {
 public:
  virtual ~EuclideanSearch() = default;
  [[nodiscard]] virtual NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const = 0;
  /// The k nearest other samples of every sample.
  [[nodiscard]] virtual NeighborTable all_pairs(Index k, const RunContext& context) const = 0;
};

/// Takes sample i out of its own list of k + 1; with many duplicates it may not be in it: then the last one goes.
[[nodiscard]] NeighborTable without_self(const NeighborTable& table);

[[nodiscard]] std::unique_ptr<EuclideanSearch> make_brute_force(const MatrixRef& samples);
[[nodiscard]] std::unique_ptr<EuclideanSearch> make_kd_tree(const MatrixRef& samples);
[[nodiscard]] std::unique_ptr<EuclideanSearch> make_approximate(const MatrixRef& samples, std::uint64_t seed);

/// closest_gaps() by one KD-tree per group, and by blocked products; `skip` is the group that is left out.
[[nodiscard]] std::vector<Gap> closest_gaps_kd_tree(const MatrixRef& samples, const std::vector<int>& group,
                                                    int n_groups, int skip, const RunContext& context);
[[nodiscard]] std::vector<Gap> closest_gaps_brute_force(const MatrixRef& samples, const std::vector<int>& group,
                                                        int n_groups, int skip, const RunContext& context);

/// Hands the samples within a squared distance of each sample, in no order and itself included, to `sink`.
using CandidateSink = std::function<void(Index i, std::vector<Candidate>& found)>;
void within_kd_tree(const MatrixRef& samples, double limit, const CandidateSink& sink, const RunContext& context);

/// The k smallest candidates, in order, into row i of the table.
void write_nearest(std::vector<Candidate>& candidates, Index i, NeighborTable& table);

}  // namespace foldout
