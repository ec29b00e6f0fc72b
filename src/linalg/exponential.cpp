// SPDX-License-Identifier: Apache-2.0
// x = k ln 2 + r with a whole k and |r| ≤ ½ ln 2; e^r by its series, whose remainder is below 10⁻¹⁷, times 2^k. Every
// step is one IEEE operation, so that the compiler's vector code and what it leaves over round alike. (The vector code
// of Eigen does not round as std::exp does, to which it hands the ends of an array.)
#include "linalg/exponential.h"

#include <array>
#include <bit>
#include <cstdint>
#include <numbers>

#include "linalg/versions.h"

namespace foldout {
namespace {

// ln 2 in two parts: products of the first with k are exact.
constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
// Adding it rounds to a whole number, which then stands in the lowest bits.
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

FOLDOUT_VERSIONS void exp_each(double* values, Index n) {
  for (Index i = 0; i < n; ++i) values[i] = exp_of(values[i]);
}

}  // namespace foldout
