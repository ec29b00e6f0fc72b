// SPDX-License-Identifier: Apache-2.0
// The skull is lofted through horizontal ellipses; nose, sockets, lips and the rest are bumps towards the viewer,
// positioned by (x, y) of the front view at rest; the expression moves points up, down and sideways.
#include "data/face_surface.h"

#include <array>
#include <numbers>

namespace foldout::faces {
namespace {

struct Slice {
  double y, width, front, back;
};
// Half width, and the extent of the slice to the front and to the back.
constexpr std::array<Slice, 15> kSlices{{{-1.0, 0.0, 0.44, 0.44},
                                         {-0.985, 0.14, 0.6, 0.24},
                                         {-0.94, 0.25, 0.655, 0.1},
                                         {-0.86, 0.355, 0.69, -0.1},
                                         {-0.74, 0.455, 0.705, -0.3},
                                         {-0.58, 0.55, 0.715, -0.5},
                                         {-0.4, 0.62, 0.715, -0.68},
                                         {-0.2, 0.665, 0.71, -0.82},
                                         {0.0, 0.69, 0.715, -0.9},
                                         {0.25, 0.71, 0.735, -0.93},
                                         {0.5, 0.685, 0.7, -0.9},
                                         {0.72, 0.585, 0.58, -0.79},
                                         {0.88, 0.42, 0.4, -0.6},
                                         {0.97, 0.22, 0.17, -0.36},
                                         {1.0, 0.0, -0.08, -0.08}}};

// Catmull-Rom in the angle beta, in which the caps are round.
Slice slice_at(double beta) {
  static const auto angles = [] {
    std::array<double, kSlices.size()> a{};
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::asin(kSlices[i].y);
    return a;
  }();
  std::size_t i = 0;
  while (i + 2 < angles.size() && beta > angles[i + 1]) ++i;
  const double h = angles[i + 1] - angles[i];
  const double t = std::clamp((beta - angles[i]) / h, 0.0, 1.0);
  const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 2, angles.size() - 1);
  const auto at = [&](double Slice::*v) {
    const double a = kSlices[i].*v, b = kSlices[i + 1].*v;
    const double slope_a = before == i ? (b - a) / h : (b - kSlices[before].*v) / (angles[i + 1] - angles[before]);
    const double slope_b = after == i + 1 ? (b - a) / h : (kSlices[after].*v - a) / (angles[after] - angles[i]);
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * h * slope_a + (3 * t2 - 2 * t3) * b +
           (t3 - t2) * h * slope_b;
  };
  return {std::sin(beta), std::max(0.0, at(&Slice::width)), at(&Slice::front), at(&Slice::back)};
}

double nose(const Identity& id, double x, double y) {
  const double top = id.eye_y + 0.07, tip = id.eye_y - id.nose_length;
  const double along = (top - y) / (top - tip);  // 0 between the eyes, 1 at the tip
  if (along < -0.3 || along > 1.6) return 0;
  const double ridge = id.nose_height * (along < 1 ? std::pow(step(-0.25, 1.05, along), 1.25) : 1.0);
  const double under = 1 - step(-0.02, 0.115, tip - y);
  const double half_width = mix(id.nose_bridge * 0.85, id.nose_width * 0.55, step(0.2, 1, along));
  const double bulb = 0.03 * bump(x / 0.07, (y - tip - 0.01) / 0.055);
  const double wings = 0.075 * bump((std::abs(x) - id.nose_width * 0.72) / 0.045, (y - tip + 0.025) / 0.045);
  return ridge * under * bump(x / half_width) + (bulb + wings) * (1 - step(0.03, 0.12, tip - y));
}

double eyes(const Identity& id, double ax, double y) {
  const double dx = ax - id.eye_x, dy = y - id.eye_y;
  const double socket = -id.socket * bump((dx + 0.03) / 0.15, (dy - 0.035) / 0.095);
  const double ball = 0.062 * bump(dx / 0.095, (dy + 0.005) / 0.075);
  const double lid_fold = -0.012 * bump(dx / 0.13, (dy - id.eye_opening - 0.035) / 0.018);
  const double brow = 0.045 * bump((ax - id.eye_x + 0.02) / 0.19, (y - id.brow_y + 0.02) / 0.055);
  return socket + ball + lid_fold + brow;
}

// How much of a lip is at x: 1 in the middle, 0 at the corners.
double lip_span(const Identity& id, double x) {
  const double t = x / id.mouth_width;
  return std::max(0.0, 1 - t * t);
}

double mouth_and_chin(const Identity& id, double x, double y) {
  const double span = std::sqrt(lip_span(id, x)), dy = y - mouth_line(id, x);
  const double upper = 0.05 * span * bump((dy - 0.45 * id.upper_lip) / (0.6 * id.upper_lip));
  const double lower = 0.06 * span * bump((dy + 0.5 * id.lower_lip) / (0.6 * id.lower_lip));
  const double seam = -0.04 * span * bump(dy / 0.014);
  const double muzzle = 0.05 * bump(x / 0.25, (dy + 0.01) / 0.14);
  const double philtrum = -0.014 * bump(x / 0.03, (dy - 0.11) / 0.05);
  const double groove = -0.035 * bump(x / 0.17, (dy + 0.165) / 0.045);
  const double chin = (0.075 + id.chin) * bump(x / 0.15, (y + 0.87) / 0.085);
  return upper + lower + seam + muzzle + philtrum + groove + chin;
}

double cheeks(const Identity& id, double ax, double y) {
  const double bone = id.cheekbones * bump((ax - 0.43) / 0.13, (y - id.eye_y + 0.2) / 0.09);
  const double flesh = (0.02 + id.cheeks) * bump((ax - 0.36) / 0.14, (y + 0.45) / 0.16);
  const double fold_x = mix(id.nose_width + 0.03, id.mouth_width + 0.06, step(-0.38, -0.66, y));
  const double fold = -0.012 * (0.5 + id.age) * bump((ax - fold_x) / 0.025, (y + 0.5) / 0.11);
  return bone + flesh + fold - id.temples * bump((ax - 0.6) / 0.1, (y - 0.32) / 0.15);
}

// The displacement of the point with rest position (x, y) by the expression.
Vec3 expression_shift(const Identity& id, double x, double y, double e) {
  const double ax = std::abs(x), side = std::copysign(1.0, x), dy = y - mouth_line(id, x);
  const double open = 0.038 * (e + e * e);  // the lips part in a smile only
  const double span = std::pow(lip_span(id, x * 0.93), 0.7);
  const double jaw = bump(std::max(0.0, -dy) / 0.22) * bump(std::max(0.0, ax - 0.15) / 0.2);
  const double parted =
      mix(-open * mix(0.25, 1, span) * jaw, 0.3 * open * span * bump(dy / 0.1), step(-0.013, 0.013, dy));
  const double corner = bump((ax - id.mouth_width) / 0.11, dy / 0.11);
  const double middle = bump(x / (0.6 * id.mouth_width), dy / 0.1);
  const double cheek = bump((ax - 0.37) / 0.13, (y + 0.28) / 0.13);
  const double brow = bump((y - id.brow_y) / 0.075) * (e > 0 ? bump((ax - 0.3) / 0.25) : bump((ax - 0.12) / 0.15));
  const double lower_lid = bump((ax - id.eye_x) / 0.12, (y - id.eye_y + id.eye_opening) / 0.045);
  const double rise =
      (0.05 * e + 0.015 * e * e) * corner + e * (0.03 * cheek + 0.04 * brow + 0.02 * lower_lid - 0.012 * middle);
  return {side * e * (0.04 * corner + 0.01 * cheek), parted + rise, e * (0.045 * cheek - 0.03 * corner)};
}

}  // namespace

double mouth_line(const Identity& id, double x) {
  const double t = x / id.mouth_width;
  return id.mouth_y + id.mouth_curve * (t * t - 0.5);
}

Vec3 skull_point(const Identity& id, double alpha, double beta) {
  const Slice slice = slice_at(beta);
  const double y = slice.y;
  const double width =
      slice.width * id.width * (1 + id.jaw * step(0.0, -0.75, y) + 0.5 * id.forehead * step(0.1, 0.6, y));
  const double front = slice.front + id.forehead * bump((y - 0.5) / 0.2);
  const double middle = 0.5 * (front + slice.back), depth = 0.5 * (front - slice.back);
  const double c = std::cos(alpha), s = std::sin(alpha);
  return {width * signed_power(s, 0.92), y + id.chin * step(-0.5, -1, y) * -0.8,
          middle + depth * signed_power(c, c > 0 ? 0.8 : 1.0)};
}

SurfacePoint face_point(const Identity& id, double alpha, double beta, double e) {
  SurfacePoint point;
  const Vec3 base = skull_point(id, alpha, beta);
  const double x = base.x(), ax = std::abs(x), y = std::sin(beta);
  const double front = step(0.05, 0.45, std::cos(alpha));
  point.position = base;
  if (front > 0) {
    point.position.z() += front * (nose(id, x, y) + eyes(id, ax, y) + mouth_and_chin(id, x, y) + cheeks(id, ax, y));
    point.position += front * expression_shift(id, x, y, e);
  }
  paint_face(id, x, y, front, e, point);
  return point;
}

}  // namespace foldout::faces
