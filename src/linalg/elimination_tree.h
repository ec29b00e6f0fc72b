// SPDX-License-Identifier: Apache-2.0
// Private: what the factor of a sparse symmetric matrix needs to know of its pattern.
#pragma once

#include <vector>

#include "foldout/core/types.h"

namespace foldout {

/// A fill-reducing order in which every subtree of the elimination tree is contiguous, the child with the most entries
/// last, next to its parent.
struct EliminationTree {
  std::vector<int> order;   ///< place in the factor to row of A
  std::vector<int> parent;  ///< of a column, the row of its first entry below the diagonal; −1: none
  std::vector<int> counts;  ///< entries below the diagonal in every column of the factor

  explicit EliminationTree(const SparseMatrix& A);
};

}  // namespace foldout
