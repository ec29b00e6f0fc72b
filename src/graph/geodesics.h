// SPDX-License-Identifier: Apache-2.0
// Lengths of shortest paths through a graph.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Dijkstra's algorithm with its working memory, to be used for many sources in turn.
class ShortestPaths {
 public:
  /// `lengths` holds the edges, in both directions, and must outlive this object.
  explicit ShortestPaths(const SparseMatrix& lengths);

  /// Distances to every node from a point that reaches `starts` (node, distance) directly; a single source is
  /// {(node, 0)}. Unreachable nodes get infinity.
  void from(std::span<const std::pair<int, double>> starts, std::span<double> distances);

 private:
  struct Entry {
    double distance;
    int node;
  };
  void push(Entry entry);
  Entry pop();

  const SparseMatrix& lengths_;
  std::vector<Entry> heap_;
};

/// Row s: distances from sources[s] to every node. Many sources on a graph that can be eliminated with little fill (the
/// graph of a surface) go by elimination, others by Dijkstra's algorithm; the two differ by rounding.
[[nodiscard]] Matrix geodesic_distances(const SparseMatrix& lengths, const std::vector<Index>& sources,
                                        const RunContext& context = {});

}  // namespace foldout
