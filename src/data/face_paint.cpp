// SPDX-License-Identifier: Apache-2.0
// The tones of the face: each feature is laid over the skin like a coat of paint with its own coverage.
#include "data/face_surface.h"

namespace foldout::faces {
namespace {

// Lid edges of an eye, as heights above its centre; t is 0 in its middle, ±1 at its corners.
struct Lids {
  double upper, lower;
};
Lids lids_at(const Identity& id, double t) {
  const double arc = std::max(0.0, 1 - t * t);
  return {id.eye_opening * std::pow(arc, 0.75), -0.62 * id.eye_opening * arc};
}

void paint_eyes(const Identity& id, double ax, double y, SurfacePoint& p) {
  const double dx = ax - id.eye_x, t = dx / id.eye_width;
  if (std::abs(t) > 1.5) return;
  const double dy = y - id.eye_y - id.eye_slant * dx;
  const Lids lids = lids_at(id, t);
  const double soft = 0.008;
  const double open =
      step(-soft, soft, lids.upper - dy) * step(-soft, soft, dy - lids.lower) * step(1.05, 0.95, std::abs(t));
  const double radius = std::hypot(dx, dy - 0.004);
  const double iris = step(0.066, 0.054, radius), pupil = step(0.03, 0.02, radius);
  double ball = mix(mix(0.42, id.skin, 0.3), id.iris, iris);
  ball = mix(ball, 0.01, pupil);
  ball *= mix(1, 0.55, bump((lids.upper - dy) / 0.022));  // the lid's shade
  p.tone = mix(p.tone, ball, open);
  p.gloss = mix(p.gloss, 0.05, open);
  const double inside = step(1.25, 0.95, std::abs(t));
  const double lash = bump((dy - lids.upper) / 0.013) * inside;
  const double fold = bump((dy - lids.upper - 0.042) / 0.011) * inside;
  const double lower = bump((dy - lids.lower) / 0.01) * inside;
  const double bag = bump((dy - lids.lower + 0.05) / 0.018) * inside;
  p.tone *= (1 - 0.85 * lash) * (1 - 0.3 * fold) * (1 - 0.4 * lower * (1 - open)) * (1 - 0.25 * id.age * bag);
}

void paint_brows(const Identity& id, double x, double y, SurfacePoint& p) {
  const double t = (std::abs(x) - 0.09) / 0.36;  // 0 at the inner, 1 at the outer end
  if (t < -0.2 || t > 1.2) return;
  const double line = id.brow_y + id.brow_slant * (t - 0.4) + id.brow_arch * (1 - std::pow((t - 0.6) / 0.6, 2));
  const double thickness = id.brow_thickness * mix(1, 0.45, step(0.4, 1, t));
  const double cover = id.brow_strength * step(1.25, 0.6, std::abs(y - line) / thickness) * step(-0.06, 0.08, t) *
                       step(1.06, 0.9, t) * (1 + 0.15 * strands(id, 3 * x + 2 * y, 0));
  p.tone = mix(p.tone, std::min(p.tone, 0.8 * id.hair + 0.01), std::clamp(cover, 0.0, 1.0));
}

void paint_mouth(const Identity& id, double x, double y, double e, SurfacePoint& p) {
  const double t = x / id.mouth_width, dy = y - mouth_line(id, x);
  if (std::abs(t) > 1.2 || std::abs(dy) > 0.2) return;
  const double span = std::max(0.0, 1 - t * t), bow = 1 - 0.28 * bump(t / 0.13);
  const double upper = id.upper_lip * std::pow(span, 0.8) * bow, lower = id.lower_lip * std::pow(span, 0.7);
  const double lips = step(0.012, -0.012, dy - upper) * step(-0.012, 0.012, dy + lower) * step(1.02, 0.92, std::abs(t));
  const double tone = p.tone * id.lip_tone * (dy > 0 ? 0.9 : 1.08);
  p.tone = mix(p.tone, tone, lips);
  p.gloss = mix(p.gloss, 0.1, lips * (dy < 0 ? 1 : 0.4));
  const double seam = step(0.016, 0.006, std::abs(dy)) * step(1.04, 0.8, std::abs(t));
  const double teeth = std::max(0.0, e) * step(-0.011, 0.0, dy) * step(0.85, 0.6, std::abs(t));
  p.tone = mix(p.tone, mix(0.2 * p.tone, 0.5, teeth), seam);
  p.gloss *= 1 - seam;
}

void paint_beard(const Identity& id, double x, double y, SurfacePoint& p) {
  const double ax = std::abs(x), dy = y - id.mouth_y;
  const double edge = mix(-0.5, -0.1, step(0.3, 0.62, ax)) - 0.02;
  const double around = 1 - step(1.35, 1.05, std::hypot(x / id.mouth_width, (dy + 0.01) / 0.085));
  const double jaw = step(0.06, -0.06, y - edge) * around;
  const double lip = bump(x / (0.75 * id.mouth_width)) * bump((dy - id.upper_lip - 0.05) / 0.035) *
                     step(0.0, 0.02, dy - id.upper_lip * 0.7);
  const double texture = 1 + 0.25 * strands(id, 4 * x, 4 * y);
  const double cover = std::max(id.beard * jaw, id.moustache * lip) * texture;
  p.tone = mix(p.tone, id.hair * 1.1 + 0.015, std::clamp(cover, 0.0, 0.95));
  p.gloss *= 1 - std::clamp(cover, 0.0, 1.0);
}

void paint_shade(const Identity& id, double x, double y, SurfacePoint& p) {
  const double ax = std::abs(x), tip = id.eye_y - id.nose_length;
  const double nostril = bump((ax - 0.48 * id.nose_width) / 0.035, (y - tip + 0.07) / 0.018);
  const double under_nose = bump(x / 0.14, (y - tip + 0.1) / 0.04);
  const double corner = bump((ax - id.eye_x + 0.13) / 0.06, (y - id.eye_y - 0.05) / 0.07);
  const double wing = bump((ax - id.nose_width - 0.02) / 0.025, (y - tip) / 0.06);
  const double under_lip = bump(x / 0.16, (y - id.mouth_y + id.lower_lip + 0.05) / 0.03);
  const double fold_x = mix(id.nose_width + 0.03, id.mouth_width + 0.06, step(-0.38, -0.66, y));
  const double fold = bump((ax - fold_x) / 0.022, (y + 0.5) / 0.1);
  const double wrinkles = y > id.brow_y + 0.1 && ax < 0.4 ? bump(std::sin(38 * y) / 0.35) * step(0.4, 0.2, ax) : 0;
  p.tone *= (1 - 0.5 * nostril) * (1 - 0.12 * corner) * (1 - 0.15 * wing) * (1 - 0.25 * id.age * fold) *
            (1 - 0.12 * std::max(0.0, id.age - 0.5) * wrinkles);
  p.occlusion *=
      (1 - 0.3 * under_nose) * (1 - 0.45 * corner) * (1 - 0.3 * under_lip) * mix(0.35, 1, step(-1.02, -0.88, y));
}

}  // namespace

double strands(const Identity& id, double across, double along) {
  const auto& f = id.phase;
  return 0.4 * std::sin(37 * across + 3 * along + f[0]) + 0.35 * std::sin(61 * across - 2 * along + f[1]) +
         0.25 * std::sin(97 * across + 5 * along + f[2]);
}

void paint_face(const Identity& id, double x, double y, double front, double e, SurfacePoint& p) {
  const double blush = 1 - 0.1 * bump((std::abs(x) - 0.4) / 0.15, (y + 0.25) / 0.13);
  p.tone = id.skin * blush * (1 + 0.03 * std::sin(9 * x + 7 * y + id.phase[3]));
  p.gloss = 0.05 * (1 + bump(x / 0.08, (y + 0.25) / 0.2) + bump(x / 0.3, (y - 0.45) / 0.15));
  if (front <= 0) return;
  paint_shade(id, x, y, p);
  if (id.beard > 0 || id.moustache > 0) paint_beard(id, x, y, p);
  paint_mouth(id, x, y, e, p);
  paint_brows(id, x, y, p);
  paint_eyes(id, std::abs(x), y, p);
}

}  // namespace foldout::faces
