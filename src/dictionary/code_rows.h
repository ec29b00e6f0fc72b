// SPDX-License-Identifier: Apache-2.0
// Private: codes with varying numbers of entries, computed row by row.
#pragma once

#include <utility>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

/// Atoms, ascending, with their coefficients.
using CodeRow = std::vector<std::pair<int, double>>;

[[nodiscard]] inline SparseMatrix sparse_codes(const std::vector<CodeRow>& rows, Index n_atoms) {
  const auto n = static_cast<Index>(rows.size());
  SparseMatrix codes(n, n_atoms);
  Index total = 0;
  for (const CodeRow& row : rows) total += std::ssize(row);
  codes.resizeNonZeros(total);
  Index at = 0;
  for (Index i = 0; i < n; ++i) {
    codes.outerIndexPtr()[i] = static_cast<int>(at);
    for (const auto& [atom, value] : rows[static_cast<std::size_t>(i)]) {
      codes.innerIndexPtr()[at] = atom;
      codes.valuePtr()[at++] = value;
    }
  }
  codes.outerIndexPtr()[n] = static_cast<int>(at);
  return codes;
}

}  // namespace foldout
