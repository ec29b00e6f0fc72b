// SPDX-License-Identifier: Apache-2.0
// Private: products of many long columns with four, for which BLAS would spend most of its time on copies. Matrices are
// stored by columns.
#pragma once

#include "foldout/core/types.h"

namespace foldout {

inline constexpr Index kSkinny = 4;  // columns of W

/// C = Qᵀ W for the given rows of m columns of Q and kSkinny columns of W, both `stride` apart; column c of C is at
/// C + c·m.
void skinny_coefficients(const double* Q, Index m, const double* W, Index stride, Index rows, double* C);

/// W −= Q C
void subtract_skinny_product(const double* Q, Index m, const double* C, Index stride, Index rows, double* W);

}  // namespace foldout
