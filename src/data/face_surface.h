// SPDX-License-Identifier: Apache-2.0
// The shape and the paint of the face itself.
#pragma once

#include "data/face_mesh.h"

namespace foldout::faces {

/// The skull as horizontal ellipses: at height sin(beta), direction alpha from the front (radians).
[[nodiscard]] Vec3 skull_point(const Identity& id, double alpha, double beta);

/// The skull with the features on it, moved by the expression e.
[[nodiscard]] SurfacePoint face_point(const Identity& id, double alpha, double beta, double e);

/// Tone, gloss and occlusion of the skin at the resting place (x, y) of a point; `front` is 1 on the front of the
/// head and 0 behind the ears.
void paint_face(const Identity& id, double x, double y, double front, double e, SurfacePoint& point);

/// Height of the line between the lips.
[[nodiscard]] double mouth_line(const Identity& id, double x);

/// Streaks along the strands, between −1 and 1.
[[nodiscard]] double strands(const Identity& id, double across, double along);

}  // namespace foldout::faces
