// SPDX-License-Identifier: Apache-2.0
// Private: the inner loops of the L1 solver, besides add_rows. Each is compiled for several instruction
// sets and is chosen when the library is loaded; all of them add in the same order and never contract, so that they
// give the same bits.
#pragma once

#include <span>

#include "foldout/core/types.h"

namespace foldout::l1 {

inline constexpr Index kLanes = 16;  ///< independent sums or maxima, whatever the width of a register

/// T[:, q] −= row[q] · column for each of the row.size() columns of T, which are `stride` apart.
void subtract_outer(double* T, Index stride, std::span<const double> column, std::span<const double> row);
void subtract_outer(float* T, Index stride, std::span<const float> column, std::span<const float> row);

[[nodiscard]] double dot(const double* a, const double* b, Index n);
[[nodiscard]] double dot(std::span<const double> a, std::span<const double> b);

/// v += t · d
void move(double* v, double t, const double* d, Index n);
/// out = t · d; the two may be the same.
void scale(double* out, double t, const double* d, Index n);
void scale(double* out, double t, const float* d, Index n);
/// Σ (a_i b_i)², n a multiple of kLanes
[[nodiscard]] double weighted_square(const double* a, const double* b, Index n);
[[nodiscard]] float weighted_square(const float* a, const float* b, Index n);

/// out_i: the length of the step v + t d at which v_i reaches zero, where the cost −s_i d_i that it sheds is more than
/// `negligible`; infinite elsewhere. A value that rounding left on the wrong side of zero is there at once. least_l is
/// the smallest of lane l: of out_i with i = l, l + kLanes, l + 2 kLanes, … n is a multiple of kLanes.
void crossing_lengths(double* out, double* least, const double* v, const double* s, const double* d, Index n,
                      double negligible);

/// out_b: the largest |g_j| − limit_j of block b of 2 kLanes atoms, 0 where none is positive.
void largest_excess(float* out, std::span<const float> g, const float* limit);

/// max_i |s_i d_i|, n a multiple of kLanes
[[nodiscard]] double largest_product(const double* s, const double* d, Index n);

}  // namespace foldout::l1
