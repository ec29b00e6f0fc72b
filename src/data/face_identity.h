// SPDX-License-Identifier: Apache-2.0
// The shape and the tones of the head of one person. Lengths are in half head heights: the chin
// is at y = −1, the crown at y = 1, x to the viewer's right, z towards the viewer. Tones are linear reflectances.
#pragma once

#include <array>

#include "core/random.h"

namespace foldout::faces {

struct Identity {
  // Skull
  double width = 1, jaw = 0, chin = 0, forehead = 0, cheeks = 0, cheekbones = 0.04, temples = 0.03;
  // Eyes and brows
  double eye_x = 0.3, eye_y = 0, eye_width = 0.145, eye_opening = 0.062, eye_slant = 0, socket = 0.09;
  double brow_y = 0.19, brow_thickness = 0.034, brow_arch = 0.04, brow_slant = 0, brow_strength = 0.8;
  // Nose and mouth
  double nose_length = 0.35, nose_height = 0.16, nose_width = 0.15, nose_bridge = 0.075;
  double mouth_y = -0.61, mouth_width = 0.25, mouth_curve = 0, upper_lip = 0.055, lower_lip = 0.075, lip_tone = 0.55;
  double ear_size = 0.2, ear_angle = 0.4, neck = 0.37, age = 0.3;
  // Tones
  double skin = 0.45, hair = 0.05, iris = 0.1, clothes = 0.2;
  // Hair
  double hairline = 0.62, temple_hair = 0.85, hair_side = -0.15, hair_volume = 0.07, parting = 0, hair_back = -0.6;
  double beard = 0, moustache = 0, glasses = 0;
  std::array<double, 6> phase{};  ///< of the strands
};

/// Draws a person from the person's own random stream.
[[nodiscard]] Identity draw_identity(Rng rng);

}  // namespace foldout::faces
