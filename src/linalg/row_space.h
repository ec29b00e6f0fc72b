// SPDX-License-Identifier: Apache-2.0
// A basis of the row space of a matrix, for problems that need no singular vectors.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// A = U diag(s) Vᵀ up to directions in which A is at most `tolerance` times its largest singular value, or `least`. V
/// is orthonormal, and U = A V diag(s)⁻¹ has columns of about unit length that are nearly orthogonal, to 1e-8 where s
/// is above 1e-4 of the largest and to 1e-2 in any case: s are nearly the singular values.
struct RowSpace {
  Matrix U;
  Vector s;
  Matrix V;
};

[[nodiscard]] RowSpace row_space(const MatrixRef& A, double tolerance, double least, const RunContext& context = {});

}  // namespace foldout
