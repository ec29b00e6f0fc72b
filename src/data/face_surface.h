// SPDX-License-Identifier: Apache-2.0
// The shape and the tones of the face.
#pragma once

#include "data/face_mesh.h"

#include <algorithm>
#include <cmath>

namespace foldout::faces {

/// The skull as horizontal ellipses: at height sin(beta), direction alpha from the front (radians).
[[nodiscard]] Vec3 skull_point(const Identity& id, double alpha, double beta);

/// The skull with the features on it, moved by the expression e.
[[nodiscard]] SurfacePoint face_point(const Identity& id, double alpha, double beta, double e);

/// Tone, gloss and occlusion of the skin at the rest position (x, y) of a point; `front` is 1 on the front of the
/// head and 0 behind the ears.
void paint_face(const Identity& id, double x, double y, double front, double e, SurfacePoint& point);

/// Height of the line between the lips.
[[nodiscard]] double mouth_line(const Identity& id, double x);

/// Streaks along the strands, between −1 and 1.
[[nodiscard]] double strands(const Identity& id, double across, double along);

/// exp(−x²/2); 0 for |x| ≥ 10.
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
