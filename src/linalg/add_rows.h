// SPDX-License-Identifier: Apache-2.0
// Private: sums of weighted rows, by the widest vectors of the machine: the same bits on all.
#pragma once

#include <span>

#include "foldout/core/types.h"

namespace foldout {

/// out[0, n) += Σ_r weights[r] · base[rows[r] · stride + (0 … n)]
void add_rows(double* out, Index n, const double* base, Index stride, std::span<const int> rows,
              std::span<const double> weights);
void add_rows(float* out, Index n, const float* base, Index stride, std::span<const int> rows,
              std::span<const float> weights);
/// The same with rows 0, 1, 2, …
void add_rows(double* out, Index n, const double* base, Index stride, std::span<const double> weights);

}  // namespace foldout
