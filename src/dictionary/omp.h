// SPDX-License-Identifier: Apache-2.0
// Orthogonal matching pursuit: a sample as a combination of few atoms, selected one after another. The atom most
// correlated with the residual enters, and all coefficients are refitted.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Codes of at most `sparsity` ≥ 1 entries, one row per sample. A code ends early if the residual is zero or orthogonal
/// to all atoms: a sample of length 0 has no entries. Atoms may have any length; one of length 0 is never used. Ties
/// between atoms are broken by index. A row does not depend on the other samples.
[[nodiscard]] SparseMatrix omp_codes(const MatrixRef& samples, const MatrixRef& atoms, int sparsity,
                                     const RunContext& context = {});

}  // namespace foldout
