// SPDX-License-Identifier: Apache-2.0
#include "linalg/loops.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numbers>

#include "linalg/distance.h"

namespace foldout {
namespace {

template <typename T>
using Rows = std::array<const T*, 8>;

template <typename T>
[[gnu::always_inline]] inline void add_one_row(T* __restrict out, Index n, const T* __restrict a, T w) {
  for (Index i = 0; i < n; ++i) out[i] += w * a[i];
}

template <typename T>
[[gnu::always_inline]] inline void add_eight_rows(T* __restrict out, Index n, const Rows<T>& rows, const T* w) {
  const T* __restrict a = rows[0], * __restrict b = rows[1], * __restrict c = rows[2], * __restrict d = rows[3];
  const T* __restrict e = rows[4], * __restrict f = rows[5], * __restrict g = rows[6], * __restrict h = rows[7];
  const T wa = w[0], wb = w[1], wc = w[2], wd = w[3], we = w[4], wf = w[5], wg = w[6], wh = w[7];
  for (Index i = 0; i < n; ++i)
    out[i] += ((wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i])) + ((we * e[i] + wf * f[i]) + (wg * g[i] + wh * h[i]));
}

FOLDOUT_VERSIONS void add_one(double* out, Index n, const double* a, double w) { add_one_row(out, n, a, w); }
FOLDOUT_VERSIONS void add_one(float* out, Index n, const float* a, float w) { add_one_row(out, n, a, w); }
FOLDOUT_VERSIONS void add_eight(double* out, Index n, const Rows<double>& rows, const double* w) {
  add_eight_rows(out, n, rows, w);
}
FOLDOUT_VERSIONS void add_eight(float* out, Index n, const Rows<float>& rows, const float* w) {
  add_eight_rows(out, n, rows, w);
}

constexpr Index kSums = 16;  // independent sums, whatever the processor

template <typename Real>
[[gnu::always_inline]] inline void dots(Real* __restrict out, const Real* __restrict rows, Index n_rows,
                                        const Real* __restrict y, Index n) {
  for (Index j = 0; j < n_rows; ++j) {
    const Real* __restrict a = rows + j * n;
    std::array<Real, 2 * kSums> sums{};
    Index i = 0;
    for (; i + 2 * kSums <= n; i += 2 * kSums)
      for (Index l = 0; l < 2 * kSums; ++l) sums[l] += a[i + l] * y[i + l];
    for (; i + kSums / 2 <= n; i += kSums / 2)
      for (Index l = 0; l < kSums / 2; ++l) sums[l] += a[i + l] * y[i + l];
    Real rest = 0;
    for (; i < n; ++i) rest += a[i] * y[i];
    for (Index half = kSums; half > 0; half /= 2)
      for (Index l = 0; l < half; ++l) sums[l] += sums[l + half];
    out[j] = sums[0] + rest;
  }
}

template <typename T, typename RowAt>
void add_all(T* out, Index n, std::span<const T> weights, const RowAt& row_at) {
  const std::size_t count = weights.size();
  std::size_t r = 0;
  for (; r + 8 <= count; r += 8)
    add_eight(out, n,
              {row_at(r), row_at(r + 1), row_at(r + 2), row_at(r + 3), row_at(r + 4), row_at(r + 5), row_at(r + 6),
               row_at(r + 7)},
              weights.data() + r);
  if (count - r >= 3) {  // missing rows have weight 0
    Rows<T> rows;
    std::array<T, 8> w{};
    for (std::size_t l = 0; l < 8; ++l) rows[l] = row_at(std::min(r + l, count - 1));
    std::copy(weights.begin() + static_cast<std::ptrdiff_t>(r), weights.end(), w.begin());
    add_eight(out, n, rows, w.data());
    return;
  }
  for (; r < count; ++r) add_one(out, n, row_at(r), weights[r]);
}

// Whole blocks are tested at once.
template <class Test>
[[gnu::always_inline]] inline Index first_true(Index from, Index n, Test test) {
  constexpr Index kBlock = 64;
  Index i = from;
  for (; i + kBlock <= n; i += kBlock) {
    int any = 0;
    for (Index j = 0; j < kBlock; ++j) any |= static_cast<int>(test(i + j));
    if (any != 0) break;
  }
  while (i < n && !test(i)) ++i;
  return i;
}

// ln 2 in two parts: products of the first with k are exact.
constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
// Adding it rounds to a whole number, stored in the lowest bits.
constexpr double kShift = 0x1.8p52;
constexpr std::uint64_t kBias = 1023, kMantissaBits = 52;

// 1/13! … 1/0!
constexpr std::array kSeries{
    1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
    1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       1.0 / 2,      1.0,         1.0};

[[gnu::always_inline]] inline double exp_of(double x) {
  x = x < -708.0 ? -708.0 : x;
  x = x > 709.0 ? 709.0 : x;
  const double shifted = x * std::numbers::log2e + kShift, k = shifted - kShift;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = kSeries[0];
  for (std::size_t i = 1; i < kSeries.size(); ++i) sum = sum * r + kSeries[i];
  return sum * std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + kBias) << kMantissaBits);
}

}  // namespace

FOLDOUT_VERSIONS void dot_rows(double* out, const double* rows, Index n_rows, const double* y, Index n) {
  dots(out, rows, n_rows, y, n);
}
FOLDOUT_VERSIONS void dot_rows(float* out, const float* rows, Index n_rows, const float* y, Index n) {
  dots(out, rows, n_rows, y, n);
}

void add_rows(double* out, Index n, const double* base, Index stride, std::span<const int> rows,
              std::span<const double> weights) {
  add_all(out, n, weights, [&](std::size_t r) { return base + rows[r] * stride; });
}

void add_rows(float* out, Index n, const float* base, Index stride, std::span<const int> rows,
              std::span<const float> weights) {
  add_all(out, n, weights, [&](std::size_t r) { return base + rows[r] * stride; });
}

void add_rows(double* out, Index n, const double* base, Index stride, std::span<const double> weights) {
  add_all(out, n, weights, [&](std::size_t r) { return base + static_cast<Index>(r) * stride; });
}

FOLDOUT_VERSIONS Index next_at_most(float bound, const float* values, Index from, Index n) {
  return first_true(
      from, n, [=](Index i) __attribute__((always_inline)) { return values[i] <= bound; });
}
FOLDOUT_VERSIONS Index next_at_most(const float* bounds, const float* values, Index from, Index n) {
  return first_true(
      from, n, [=](Index i) __attribute__((always_inline)) { return values[i] <= bounds[i]; });
}

FOLDOUT_VERSIONS void exp_each(double* values, Index n) {
  for (Index i = 0; i < n; ++i) values[i] = exp_of(values[i]);
}

FOLDOUT_VERSIONS double long_squared_distance(const double* a, const double* b, Index n) {
  return lane_sum(
      n, [=](Index i) __attribute__((always_inline)) { return (a[i] - b[i]) * (a[i] - b[i]); });
}

FOLDOUT_VERSIONS double long_dot(const double* a, const double* b, Index n) {
  return lane_sum(
      n, [=](Index i) __attribute__((always_inline)) { return a[i] * b[i]; });
}

}  // namespace foldout
