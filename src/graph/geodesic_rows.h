// SPDX-License-Identifier: Apache-2.0
// Private: rows of the table of geodesic distances, for placing new samples.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "foldout/core/types.h"
#include "graph/path_factor.h"

namespace foldout {

/// Larger graphs are searched for each new sample: the table of this many nodes takes 1 GiB.
inline constexpr Index kMostTableNodes = 11585;

/// Geodesic distances between the nodes of a connected graph. A row is computed when it is first needed and then kept,
/// unless the whole table is given. Thread-safe.
class GeodesicRows {
 public:
  /// `lengths` must outlive this object. `table`: geodesic_distances() from all nodes, or null.
  GeodesicRows(const SparseMatrix& lengths, std::shared_ptr<const Matrix> table);

  /// Distances from a node to every node: the row of geodesic_distances() from all nodes, bit for bit.
  [[nodiscard]] const double* row(Index node);

 private:
  const SparseMatrix& lengths_;
  std::shared_ptr<const Matrix> table_;
  std::once_flag prepared_;
  std::unique_ptr<PathFactor> factor_;  // null: Dijkstra's algorithm
  Index nodes_per_block_ = 1;           // rows that cost the factor no more than one
  std::unique_ptr<std::once_flag[]> computed_;
  std::vector<Matrix> blocks_;
};

}  // namespace foldout
