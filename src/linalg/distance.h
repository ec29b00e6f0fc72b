// SPDX-License-Identifier: Apache-2.0
// Sums over the features of one or two samples, in an order that does not depend on addresses, compiler flags or
// batches. All distances that rank neighbours are computed here.
#pragma once

#include <algorithm>
#include <cmath>

#include "foldout/core/types.h"

namespace foldout {

/// Σ term(i) over 0 … n−1 in eight running sums, which keeps the vector units busy in a fixed order.
template <class Term>
[[gnu::always_inline]] inline double lane_sum(Index n, Term term) {
  constexpr Index kLanes = 8;
  if (n == 3) return (term(0) + term(1)) + term(2);  // equal to the sums below, without their zeros
  double sums[kLanes] = {};
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (Index lane = 0; lane < kLanes; ++lane) sums[lane] += term(i + lane);
  for (Index lane = 0; i + lane < n; ++lane) sums[lane] += term(i + lane);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// The sums below for long samples, by the widest vector instructions of the machine, with the same bits.
[[nodiscard]] double long_squared_distance(const double* a, const double* b, Index n);
[[nodiscard]] double long_dot(const double* a, const double* b, Index n);
inline constexpr Index kLong = 32;

/// Σ (a_i − b_i)²
inline double squared_distance(const double* a, const double* b, Index n) {
  if (n >= kLong) return long_squared_distance(a, b, n);
  return lane_sum(n, [=](Index i) { return (a[i] - b[i]) * (a[i] - b[i]); });
}

/// Σ a_i b_i
inline double dot(const double* a, const double* b, Index n) {
  if (n >= kLong) return long_dot(a, b, n);
  return lane_sum(n, [=](Index i) { return a[i] * b[i]; });
}

/// ‖a‖, even if its square overflows or underflows.
inline double length(const double* a, Index n) {
  const double square = dot(a, a, n);
  if (square > 1e-280 && square < 1e280) return std::sqrt(square);
  if (std::isnan(square)) return square;
  double largest = 0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i]));
  if (largest == 0 || !std::isfinite(largest)) return largest;
  return largest * std::sqrt(lane_sum(n, [=](Index i) { return (a[i] / largest) * (a[i] / largest); }));
}

/// Σ |a_i − b_i|
inline double manhattan_distance(const double* a, const double* b, Index n) {
  return lane_sum(n, [=](Index i) { return std::abs(a[i] - b[i]); });
}

/// max |a_i − b_i|
inline double chebyshev_distance(const double* a, const double* b, Index n) {
  double largest = 0;
  for (Index i = 0; i < n; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Every row divided by its length; rows of length 0 stay as they are.
inline Matrix unit_rows(const MatrixRef& samples) {
  Matrix unit = samples;
  for (Index i = 0; i < unit.rows(); ++i)
    if (const double size = length(unit.row(i).data(), unit.cols()); size > 0) unit.row(i) /= size;
  return unit;
}

}  // namespace foldout
