// SPDX-License-Identifier: Apache-2.0
// The few functions that the shapes and the tones of a face are made of.
#pragma once

#include <algorithm>
#include <cmath>

namespace foldout::faces {

/// exp(−x²/2), and nothing further than ten widths away.
inline double bump(double x) { return x * x < 100 ? std::exp(-0.5 * x * x) : 0; }
inline double bump(double x, double y) { return bump(std::sqrt(x * x + y * y)); }
inline double mix(double a, double b, double t) { return a + (b - a) * t; }
/// 0 up to `low`, 1 from `high`, smooth between.
inline double step(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}
inline double signed_power(double x, double exponent) { return std::copysign(std::pow(std::abs(x), exponent), x); }

}  // namespace foldout::faces
