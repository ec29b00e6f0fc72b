// SPDX-License-Identifier: Apache-2.0
#include "data/face_identity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace foldout::faces {
namespace {

// Normal, clipped at two standard deviations, which excludes impossible shapes.
double vary(Rng& rng, double mean, double spread) { return mean + spread * std::clamp(rng.normal(), -2.0, 2.0); }

void draw_shape(Identity& id, Rng& rng) {
  id.width = vary(rng, 1, 0.065);
  id.jaw = vary(rng, 0, 0.08);
  id.chin = vary(rng, 0, 0.035);
  id.forehead = vary(rng, 0, 0.03);
  id.cheeks = vary(rng, 0, 0.03);
  id.cheekbones = vary(rng, 0.045, 0.02);
  id.temples = vary(rng, 0.03, 0.015);
  id.eye_x = vary(rng, 0.3, 0.018);
  id.eye_y = vary(rng, 0.02, 0.02);
  id.eye_width = vary(rng, 0.145, 0.011);
  id.eye_opening = vary(rng, 0.064, 0.009);
  id.eye_slant = vary(rng, 0.03, 0.07);
  id.socket = vary(rng, 0.085, 0.02);
  id.brow_y = id.eye_y + vary(rng, 0.185, 0.02);
  id.brow_thickness = vary(rng, 0.032, 0.009);
  id.brow_arch = vary(rng, 0.04, 0.018);
  id.brow_slant = vary(rng, 0.02, 0.06);
  id.brow_strength = vary(rng, 0.75, 0.12);
  id.nose_length = vary(rng, 0.345, 0.025);
  id.nose_height = vary(rng, 0.155, 0.025);
  id.nose_width = vary(rng, 0.145, 0.018);
  id.nose_bridge = vary(rng, 0.072, 0.01);
  id.mouth_y = vary(rng, -0.61, 0.016);
  id.mouth_width = vary(rng, 0.25, 0.022);
  id.upper_lip = vary(rng, 0.055, 0.011);
  id.lower_lip = vary(rng, 0.075, 0.013);
  id.mouth_curve = vary(rng, 0.004, 0.01);
  id.lip_tone = vary(rng, 0.55, 0.09);
  id.ear_size = vary(rng, 0.19, 0.018);
  id.ear_angle = vary(rng, 0.4, 0.12);
  id.neck = vary(rng, 0.38, 0.03);
  id.age = rng.uniform();
}

void draw_tones(Identity& id, Rng& rng) {
  id.skin = 0.12 + 0.48 * std::pow(rng.uniform(), 0.75);
  const bool fair = rng.uniform() < 0.35 && id.skin > 0.36;
  id.hair = fair ? rng.uniform(0.1, 0.4) : 0.01 + 0.1 * std::pow(rng.uniform(), 2);
  if (id.age > 0.85) id.hair = id.skin * rng.uniform(0.5, 1);  // grey
  id.iris = rng.uniform(0.02, fair ? 0.25 : 0.1);
  id.clothes = 0.01 + 0.7 * std::pow(rng.uniform(), 1.5);
}

void draw_hair(Identity& id, Rng& rng) {
  const double style = rng.uniform();
  id.hairline = vary(rng, 0.6, 0.06);
  id.temple_hair = vary(rng, 0.85, 0.08);
  id.hair_volume = rng.uniform(0.02, 0.13);
  id.hair_side = rng.uniform(-0.25, -0.05);
  id.parting = rng.uniform(-1, 1);
  if (style < 0.16) {  // receding
    id.hairline = rng.uniform(0.78, 1.02);
    id.temple_hair = rng.uniform(1.0, 1.2);
    id.hair_volume = rng.uniform(0.015, 0.04);
  } else if (style < 0.34) {  // a fringe
    id.hairline = rng.uniform(0.36, 0.46);
    id.hair_volume = rng.uniform(0.08, 0.13);
    id.hair_side = rng.uniform(-0.6, -0.15);
  } else if (style < 0.62) {  // long
    id.hair_side = rng.uniform(-1.5, -0.8);
    id.hair_volume = rng.uniform(0.09, 0.16);
  }
  id.hair_back = std::min(-0.6, id.hair_side);
  if (id.hair_side > -0.4 && rng.uniform() < 0.5) {
    id.beard = rng.uniform() < 0.5 ? rng.uniform(0.15, 0.4) : rng.uniform(0.6, 0.9);
    id.moustache = rng.uniform() < 0.8 ? id.beard : 0;
  }
  id.glasses = rng.uniform() < 0.2 ? rng.uniform(0.012, 0.024) : 0;
  for (double& phase : id.phase) phase = rng.uniform(0, 2 * std::numbers::pi);
}

}  // namespace

Identity draw_identity(Rng rng) {
  Identity id;
  draw_shape(id, rng);
  draw_tones(id, rng);
  draw_hair(id, rng);
  return id;
}

}  // namespace foldout::faces
