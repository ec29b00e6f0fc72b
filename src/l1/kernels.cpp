// SPDX-License-Identifier: Apache-2.0
#include "l1/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "linalg/loops.h"

namespace foldout::l1 {
namespace {

template <typename Real>
[[gnu::always_inline]] inline void subtract_products(Real* T, Index stride, std::span<const Real> column,
                                                     std::span<const Real> row) {
  const auto n = static_cast<Index>(column.size());
  const Real* __restrict c = column.data();
  for (std::size_t q = 0; q < row.size(); ++q) {
    Real* __restrict t = T + static_cast<Index>(q) * stride;
    const Real w = row[q];
    for (Index i = 0; i < n; ++i) t[i] -= w * c[i];
  }
}

template <typename Real>
[[gnu::always_inline]] inline Real sum_of_squares(const Real* a, const Real* b, Index n) {
  std::array<Real, kLanes> sums{};
  for (Index i = 0; i < n; i += kLanes)
    for (Index l = 0; l < kLanes; ++l) sums[l] += (a[i + l] * b[i + l]) * (a[i + l] * b[i + l]);
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0];
}

}  // namespace

FOLDOUT_VERSIONS void subtract_outer(double* T, Index stride, std::span<const double> column,
                                     std::span<const double> row) {
  subtract_products(T, stride, column, row);
}

FOLDOUT_VERSIONS void subtract_outer(float* T, Index stride, std::span<const float> column,
                                     std::span<const float> row) {
  subtract_products(T, stride, column, row);
}

FOLDOUT_VERSIONS double dot(const double* a, const double* b, Index n) {
  std::array<double, kLanes> sums{};
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (Index l = 0; l < kLanes; ++l) sums[l] += a[i + l] * b[i + l];
  if (i + kLanes / 2 <= n) {
    for (Index l = 0; l < kLanes / 2; ++l) sums[l] += a[i + l] * b[i + l];
    i += kLanes / 2;
  }
  double rest = 0;
  for (; i < n; ++i) rest += a[i] * b[i];
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0] + rest;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return dot(a.data(), b.data(), static_cast<Index>(a.size()));
}

FOLDOUT_VERSIONS void move(double* __restrict v, double t, const double* __restrict d, Index n) {
  for (Index i = 0; i < n; ++i) v[i] += t * d[i];
}

FOLDOUT_VERSIONS void scale(double* out, double t, const double* d, Index n) {
  for (Index i = 0; i < n; ++i) out[i] = t * d[i];
}

FOLDOUT_VERSIONS void scale(double* out, double t, const float* d, Index n) {
  for (Index i = 0; i < n; ++i) out[i] = t * d[i];
}

FOLDOUT_VERSIONS double weighted_square(const double* a, const double* b, Index n) { return sum_of_squares(a, b, n); }
FOLDOUT_VERSIONS float weighted_square(const float* a, const float* b, Index n) { return sum_of_squares(a, b, n); }

FOLDOUT_VERSIONS void crossing_lengths(double* __restrict out, double* __restrict least, const double* __restrict v,
                                       const double* __restrict s, const double* __restrict d, Index n,
                                       double negligible) {
  for (Index i = 0; i < n; ++i) {
    const double rate = -s[i] * d[i], size = s[i] * v[i];
    const double length = (size > 0 ? size : 0) / rate;
    out[i] = rate > negligible ? length : std::numeric_limits<double>::infinity();
  }
  std::array<double, kLanes> smallest;
  smallest.fill(std::numeric_limits<double>::infinity());
  for (Index i = 0; i < n; i += kLanes)
    for (Index l = 0; l < kLanes; ++l) smallest[l] = out[i + l] < smallest[l] ? out[i + l] : smallest[l];
  std::ranges::copy(smallest, least);
}

FOLDOUT_VERSIONS void largest_excess(float* __restrict out, std::span<const float> g, const float* __restrict limit) {
  const auto n = static_cast<Index>(g.size());
  const float* __restrict values = g.data();
  Index i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    std::array<float, kLanes> most;
    for (Index l = 0; l < kLanes; ++l) {
      const float a = std::abs(values[i + l]) - limit[i + l];
      const float b = std::abs(values[i + l + kLanes]) - limit[i + l + kLanes];
      most[l] = a > b ? a : b;
    }
    for (Index half = kLanes / 2; half > 0; half /= 2)
      for (Index l = 0; l < half; ++l) most[l] = most[l + half] > most[l] ? most[l + half] : most[l];
    *out++ = most[0] > 0 ? most[0] : 0;
  }
  if (i == n) return;
  *out = 0;
  for (; i < n; ++i) *out = std::max(*out, std::abs(values[i]) - limit[i]);
}

FOLDOUT_VERSIONS double largest_product(const double* s, const double* d, Index n) {
  std::array<double, kLanes> most{};
  for (Index i = 0; i < n; i += kLanes)
    for (Index l = 0; l < kLanes; ++l) {
      const double value = std::abs(s[i + l] * d[i + l]);
      most[l] = value > most[l] ? value : most[l];
    }
  for (Index half = kLanes / 2; half > 0; half /= 2)
    for (Index l = 0; l < half; ++l) most[l] = most[l + half] > most[l] ? most[l + half] : most[l];
  return most[0];
}

}  // namespace foldout::l1
