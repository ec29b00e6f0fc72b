// SPDX-License-Identifier: Apache-2.0
// Private: the search structures behind NeighborIndex. They rank samples by a measure of the metric: the squared
// Euclidean distance (of directions, for cosine and correlation), or the distance itself for all other metrics.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "neighbors/neighbors.h"

namespace foldout {

/// A sample and its measure, ordered by measure, then by index: the order that breaks all ties.
struct Candidate {
  double measure = 0;
  int index = 0;
  friend auto operator<=>(const Candidate&, const Candidate&) = default;  // NOLINT(modernize-use-nullptr): no pointer
};

/// The distances in its results are measures.
class SearchStructure {
 public:
  virtual ~SearchStructure() = default;
  [[nodiscard]] virtual NeighborTable query(const MatrixRef& queries, Index k, const RunContext& context) const = 0;
  /// The k nearest other samples of every sample.
  [[nodiscard]] virtual NeighborTable all_pairs(Index k, const RunContext& context) const = 0;
};

/// Removes sample i from its own list of k + 1, or the last entry if many duplicates have displaced the sample.
[[nodiscard]] NeighborTable without_self(const NeighborTable& table);

[[nodiscard]] std::unique_ptr<SearchStructure> make_brute_force(const MatrixRef& samples);
/// Manhattan or chebyshev; other metrics mean squared Euclidean distance.
[[nodiscard]] std::unique_ptr<SearchStructure> make_kd_tree(const MatrixRef& samples, Metric metric);
/// Compares every query with every sample, in any metric; precomputed: queries are rows of distances to the samples.
[[nodiscard]] std::unique_ptr<SearchStructure> make_scan(const MatrixRef& samples, Metric metric);
[[nodiscard]] std::unique_ptr<SearchStructure> make_approximate(const MatrixRef& samples, std::uint64_t seed,
                                                                const RunContext& context);

/// Groups of samples, of which `skip` is not to be joined.
struct Grouping {
  const std::vector<int>& of;
  int count, skip;
};

/// closest_gaps() by one KD-tree per group, by blocked products, and by a scan; the distances are measures.
[[nodiscard]] std::vector<Gap> closest_gaps_kd_tree(const MatrixRef& samples, const Grouping& groups, Metric metric,
                                                    const RunContext& context);
[[nodiscard]] std::vector<Gap> closest_gaps_brute_force(const MatrixRef& samples, const Grouping& groups,
                                                        const RunContext& context);
[[nodiscard]] std::vector<Gap> closest_gaps_scan(const MatrixRef& samples, const Grouping& groups, Metric metric,
                                                 const RunContext& context);

/// Passes the samples whose measure is at most `limit`, unordered and including the sample itself, to `sink`.
using CandidateSink = std::function<void(Index i, std::vector<Candidate>& found)>;
void within_kd_tree(const MatrixRef& samples, double limit, Metric metric, const CandidateSink& sink,
                    const RunContext& context);
void within_scan(const MatrixRef& samples, double limit, Metric metric, const CandidateSink& sink,
                 const RunContext& context);

/// Writes the k smallest candidates, in order, into row i of the table.
void write_nearest(std::vector<Candidate>& candidates, Index i, NeighborTable& table);

}  // namespace foldout
