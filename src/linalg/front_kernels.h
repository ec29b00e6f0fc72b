// SPDX-License-Identifier: Apache-2.0
// Private: dense kernels for the small fronts of a sparse factor, for which a call of BLAS takes longer than the work.
// A front has `own` columns of the factor, `ld` entries each: `own` rows of the diagonal block, then those below it,
// padded with zeros to a multiple of kRowUnit.
#pragma once

#include "foldout/core/types.h"

namespace foldout {

inline constexpr Index kRowUnit = 4;
inline constexpr Index padded(Index rows) { return (rows + kRowUnit - 1) / kRowUnit * kRowUnit; }

/// L₁₁ and L₂₁ from the lower triangle of A₁₁ and A₂₁, in place; false if A₁₁ is not positive definite.
[[nodiscard]] bool factor_front(double* L, Index ld, Index own);

/// −L₂₁ L₂₁ᵀ, its lower triangle at least, in columns of ld − own entries.
void update_of_front(const double* L, Index ld, Index own, double* update);

/// X₁ = L₁₁⁻¹ X₁, then X₂ −= L₂₁ X₁. X has `width` columns, a multiple of kRowUnit, and its row i at x + i·width; X₁
/// has rows `first` … first + own − 1, and X₂ the `count` rows that `rows` lists.
void solve_front(const double* L, Index ld, Index own, Index first, const int* rows, Index count, Index width,
                 double* x);
/// X₁ = L₁₁⁻ᵀ (X₁ − L₂₁ᵀ X₂)
void solve_front_transposed(const double* L, Index ld, Index own, Index first, const int* rows, Index count,
                            Index width, double* x);

}  // namespace foldout
