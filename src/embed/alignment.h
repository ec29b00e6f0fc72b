// SPDX-License-Identifier: Apache-2.0
// Private: the quadratic forms minimised by Hessian LLE and LTSA, and by polynomial maps (project/nppe).
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "graph/neighborhoods.h"

namespace foldout {

/// Σ_i S_i H_i H_iᵀ S_iᵀ over the neighbourhoods, the quadratic form of Hessian LLE.
[[nodiscard]] SparseMatrix hessian_matrix(const MatrixRef& samples, const Neighborhoods& neighborhoods,
                                          int n_components, const RunContext& context, Report& report);

/// Σ_i S_i (I − G_i G_iᵀ) S_iᵀ over the neighbourhoods, the quadratic form of LTSA.
[[nodiscard]] SparseMatrix tangent_alignment_matrix(const MatrixRef& samples, const Neighborhoods& neighborhoods,
                                                    int n_components, bool include_self, const RunContext& context,
                                                    Report& report);

}  // namespace foldout
