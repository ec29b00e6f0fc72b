// SPDX-License-Identifier: Apache-2.0
// Orthogonal matching pursuit: a sample as a combination of few atoms, found one after the other. Each next atom is the
// one whose direction agrees best with what is left of the sample; all coefficients are then fitted anew.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Codes of at most `sparsity` ≥ 1 entries, one row per sample. A code ends early where nothing is left of the sample,
/// or nothing that an atom could take: a sample of length 0 has no entries. Atoms may have any length; one of length 0
/// is never used. Of atoms that agree equally well the first is taken. A row does not depend on the other samples.
[[nodiscard]] SparseMatrix omp_codes(const MatrixRef& samples, const MatrixRef& atoms, int sparsity,
                                     const RunContext& context = {});

}  // namespace foldout
