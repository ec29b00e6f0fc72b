// SPDX-License-Identifier: Apache-2.0
// Private: loops over many values, compiled for several instruction sets, the best of which is selected at run time.
// All versions sum in the same order and none uses contraction, so they give the same bits.
#pragma once

#include <span>

#include "foldout/core/types.h"

// Sanitizers instrument the function that selects a version, which runs before they are initialised.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define FOLDOUT_VERSIONS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOLDOUT_VERSIONS
#endif

namespace foldout {

/// Sums of weighted rows: out[0, n) += Σ_r weights[r] · base[rows[r] · stride + (0 … n)]
void add_rows(double* out, Index n, const double* base, Index stride, std::span<const int> rows,
              std::span<const double> weights);
void add_rows(float* out, Index n, const float* base, Index stride, std::span<const int> rows,
              std::span<const float> weights);
/// The same with rows 0, 1, 2, …
void add_rows(double* out, Index n, const double* base, Index stride, std::span<const double> weights);

/// out_j = dot of y and row j, n_rows rows of n numbers
void dot_rows(double* out, const double* rows, Index n_rows, const double* y, Index n);
void dot_rows(float* out, const float* rows, Index n_rows, const float* y, Index n);

/// The first position from `from` on, in `values` of length n, whose value is at most `bound`; n if there is none. NaN
/// is not at most anything.
[[nodiscard]] Index next_at_most(float bound, const float* values, Index from, Index n);
/// The same with a bound for each value.
[[nodiscard]] Index next_at_most(const float* bounds, const float* values, Index from, Index n);

/// e^x in place, to about one unit in the last place. The bits do not depend on the position of a value or on the
/// processor. Values are clamped to −708 … 709.
void exp_each(double* values, Index n);

}  // namespace foldout
