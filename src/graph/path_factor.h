// SPDX-License-Identifier: Apache-2.0
// Private: shortest paths in graphs that can be eliminated with little fill.
//
// Gaussian elimination with (min, +) in place of (+, ×): eliminating node k joins every two of its later neighbours i,
// j by an edge of length ℓ_ik + ℓ_jk, unless they have a shorter one. For every shortest path there is then one of the
// same length that first ascends in the order of elimination and then descends. Distances from a source therefore take
// two sweeps over the factor, without a queue, for several sources at once. A good order (approximate minimum degree)
// keeps the factor small for graphs of surfaces; graphs of high-dimensional samples fill in, and Dijkstra's algorithm
// is faster.
#pragma once

#include <memory>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

class PathFactor {
 public:
  /// Finds an order of elimination and the size of the factor.
  explicit PathFactor(const SparseMatrix& lengths);
  ~PathFactor();
  PathFactor(const PathFactor&) = delete;
  PathFactor& operator=(const PathFactor&) = delete;

  /// Edges that the factor will have, fill included.
  [[nodiscard]] double edges() const { return edges_; }
  /// Computes the lengths of the factor's edges.
  void eliminate();

  static constexpr Index kLanes = 8;
  /// Distances from up to kLanes sources, into consecutive rows of `distances`.
  void distances(const Index* sources, Index count, Eigen::Ref<Matrix> distances) const;

 private:
  class Elimination;  // its order and pattern

  const SparseMatrix& lengths_;
  std::unique_ptr<Elimination> elimination_;
  double edges_ = 0;
  std::vector<int> place_;  // of a node in the order of elimination
  std::vector<int> first_;  // column k of the factor is first_[k] … first_[k+1]
  std::vector<int> row_;    // later neighbours of k, ascending
  std::vector<double> length_;
};

/// The factor of a graph, if it is faster than Dijkstra's algorithm from `n_sources` nodes; otherwise null.
[[nodiscard]] std::unique_ptr<PathFactor> eliminated(const SparseMatrix& lengths, Index n_sources);

}  // namespace foldout
