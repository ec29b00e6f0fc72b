// SPDX-License-Identifier: Apache-2.0
// Private: the L1 graph. Every sample is coded over all others, min ‖a‖₁ + ‖e‖₁ subject to Σ_j a_j x_j + e = x_i,
// samples at unit length; W = (|A| + |A|ᵀ)/2 determines both edges and weights, without a neighbourhood size.
// Section 2.2 of B. Raducanu, F. Dornaika (2013), after S. Yan, H. Wang: Semi-supervised Learning by Sparse
// Representation (2009).
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace foldout {

/// Symmetric, with zero diagonal. A sample with a zero code that occurs in no other code has an empty row; the report
/// counts zero codes and codes whose certificate does not meet the tolerance.
[[nodiscard]] SparseMatrix l1_weights(const MatrixRef& samples, const RunContext& context, Report& report);

}  // namespace foldout
