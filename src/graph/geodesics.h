// SPDX-License-Identifier: Apache-2.0
// Lengths of shortest paths in a graph.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Dijkstra's algorithm with its working memory, which is reused for successive sources.
class ShortestPaths {
 public:
  /// `lengths` contains the edges, in both directions, and must outlive this object.
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

/// Row s: distances from sources[s] to every node. Computed by elimination for many sources on a graph with little fill
/// (that of a surface), otherwise by Dijkstra's algorithm; the two differ by rounding.
[[nodiscard]] Matrix geodesic_distances(const SparseMatrix& lengths, const std::vector<Index>& sources,
                                        const RunContext& context = {});

}  // namespace foldout
