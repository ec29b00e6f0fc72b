// SPDX-License-Identifier: Apache-2.0
// Exact nearest neighbours of all samples, searched by all ranks. The table is that of nearest_neighbors() for any
// number of ranks, bit for bit: ties are broken by the index among all samples, by the measure that the search
// structures rank by, before its root is taken.
#pragma once

#include <cstdint>
#include <vector>

#include "neighbors/neighbors.h"
#include "ranks.h"

namespace foldout::mpi {

/// Samples of this rank with their indices among all, ascending.
struct LocalSamples {
  Matrix rows;
  std::vector<std::int64_t> indices;
};

/// A neighbour; `measure` is the squared Euclidean distance, or the distance in other metrics.
struct Found {
  double measure = 0, distance = 0;
  std::int64_t index = 0;

  friend bool operator<(const Found& a, const Found& b) {
    return a.measure < b.measure || (a.measure == b.measure && a.index < b.index);
  }
};

/// k neighbours for each of the samples of this rank, nearest first.
struct LocalTable {
  LocalSamples samples;
  std::vector<Found> found;  ///< n × k
};

/// Collective. For up to ten features and the Euclidean metric the samples are divided into boxes by bisection, and
/// only samples near the faces of boxes are searched for elsewhere; otherwise the samples of every rank visit all
/// others in a ring. 1 ≤ k < the number of all samples.
[[nodiscard]] LocalTable search_neighbors(LocalSamples samples, Index k, const NeighborOptions& options,
                                          const Ranks& ranks, const RunContext& context);

}  // namespace foldout::mpi
