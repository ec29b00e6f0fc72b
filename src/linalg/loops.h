// SPDX-License-Identifier: Apache-2.0
// Private: loops over many values, compiled for several instruction sets, the best of which is taken at run time. They
// add in one order and never contract, so that every version gives the same bits.
#pragma once

#include <span>

#include "foldout/core/types.h"

// Sanitizers instrument the function that picks a version, and it runs before they are ready.
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

/// e^x in place, to about one unit in the last place, with the same bits for a value wherever it stands and on every
/// processor. Values beyond −708 … 709 count as these ends.
void exp_each(double* values, Index n);

}  // namespace foldout
