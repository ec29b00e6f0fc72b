// SPDX-License-Identifier: Apache-2.0
// Private: an order of the nodes of a sparse symmetric matrix in which neighbours are near each other, and their
// aggregates, the nodes of the next coarser level of a multigrid method.
#pragma once

#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// The nodes in breadth-first order, component by component. Products in this order find their vectors in the cache.
[[nodiscard]] std::vector<int> breadth_first_order(const SparseMatrix& A);

/// A with row and column p for row and column order[p].
[[nodiscard]] SparseMatrix in_order(const SparseMatrix& A, const std::vector<int>& order, const RunContext& context);

struct Aggregates {
  std::vector<int> of;  ///< of every node
  int count = 0;
};

/// Every aggregate has a root and its neighbours, and the roots are at least three edges apart; nodes that are left
/// over join a neighbour. Entries that are small relative to the diagonal are not edges.
[[nodiscard]] Aggregates aggregate(const SparseMatrix& A);

}  // namespace foldout
