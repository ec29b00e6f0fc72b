// SPDX-License-Identifier: Apache-2.0
// Renders a head in greyscale, given pose, lighting and expression.
#pragma once

#include "data/face_mesh.h"

namespace foldout::faces {

/// Angles in degrees. A positive pan turns the face to the viewer's right, a positive tilt turns it up; light of
/// positive azimuth comes from the viewer's right, of positive elevation from above.
struct View {
  double pan = 0, tilt = 0, light_azimuth = 0, light_elevation = 0, expression = 0;
};

/// size × size pixels, row by row from the top left, 0 (black) to 255 (white).
void render_face(const Head& head, const View& view, int size, double* pixels);

}  // namespace foldout::faces
