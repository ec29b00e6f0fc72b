// SPDX-License-Identifier: Apache-2.0
#include "data/face_mesh.h"

#include <numbers>

#include "data/face_surface.h"

namespace foldout::faces {
namespace {

using std::numbers::pi;

double even(double) { return 1; }

int lines(double count, double detail) { return std::max(3, static_cast<int>(std::lround(count * detail))); }

Patch face(const Identity& id, double detail) {
  const auto rows = spaced(-pi / 2, pi / 2, lines(64, detail), [&](double beta) {
    const double y = std::sin(beta);
    return 1 + 2.2 * bump((y - id.eye_y - 0.03) / 0.11) + 3 * bump((y - id.mouth_y) / 0.05) +
           1.2 * bump((y + 0.4) / 0.15);
  });
  const auto columns =
      spaced(-0.75 * pi, 0.75 * pi, lines(64, detail), [](double alpha) { return 0.3 + 1.7 * bump(alpha / 0.62); });
  return make_patch(rows, columns, true,
                    [&](double beta, double alpha, double e) { return face_point(id, alpha, beta, e); });
}

// The height above which there is hair, by direction: the hairline, the temples, the sides, the nape.
double hair_edge(const Identity& id, double alpha) {
  const double a = std::abs(alpha);
  const double swing = 0.06 * id.parting * std::sin(alpha * 1.6) + 0.02 * strands(id, alpha * 0.6, 0);
  const double front =
      mix(id.hairline, id.hairline + 0.16 * (id.temple_hair - 0.85), step(0.2, 0.7, a)) + swing * step(1.2, 0.8, a);
  const double side = mix(front, id.hair_side, step(0.75 * id.temple_hair + 0.1, id.temple_hair + 0.42, a));
  return mix(side, id.hair_back, step(1.75, 2.1, a));
}

// A shell around the skull, cut at the hair's edge; below the ears it hangs straight down.
SurfacePoint hair_point(const Identity& id, double alpha, double v) {
  SurfacePoint p;
  const double beta = v > 0 ? v : 0;
  Vec3 skull = skull_point(id, alpha, beta);
  const double hang = v > 0 ? 0 : v;  // ≤ 0: straight down
  const double y = std::sin(beta) + hang;
  const double edge = hair_edge(id, alpha);
  const double thick = id.hair_volume * step(-0.04, 0.22, y - edge) + 0.012;
  const Vec3 outward = Vec3(std::sin(alpha), 1.2 * std::sin(beta) * std::sin(beta), std::cos(alpha)).normalized();
  const double wave = 1 + 0.1 * strands(id, alpha * 0.5, y);
  p.position = skull + outward * thick * wave + Vec3(0, hang, 0);
  const double flare = 1 + 0.1 * std::clamp(-y, 0.0, 1.0) * id.hair_volume / 0.1;
  p.position.x() *= flare;
  p.mask = y - edge + 0.03 * strands(id, alpha, 0.3);
  const double part = 0.15 * bump((alpha - 0.5 * id.parting) / 0.05) * step(0.5, 0.9, y);
  p.tone = std::max(0.006, id.hair * (1 + 0.3 * strands(id, alpha, y) + part));
  p.gloss = 0.03 + 0.12 * id.hair;
  p.occlusion = mix(0.5, 1, step(-1.3, 0.2, y));
  return p;
}

Patch hair(const Identity& id, double detail) {
  const auto rows = spaced(std::min({id.hair_side, id.hair_back, -0.6}) - 0.05, pi / 2, lines(36, detail), even);
  const auto columns = spaced(-pi, pi, lines(80, detail), [](double alpha) { return 0.5 + bump(alpha / 1.0); });
  Patch patch =
      make_patch(rows, columns, false, [&](double v, double alpha, double) { return hair_point(id, alpha, v); });
  patch.two_sided = true;
  return patch;
}

// A flattened ellipsoid that leans away from the head, dark in its hollow.
Patch ear(const Identity& id, double side, double detail) {
  const Vec3 root = skull_point(id, side * 1.62, 0);
  const Vec3 centre = root + Vec3(side * 0.015, id.eye_y - 0.12, -0.02);
  const double angle = id.ear_angle, size = id.ear_size;
  const auto surface = [&](double beta, double alpha, double) {
    SurfacePoint p;
    const double taper = 1 + 0.25 * std::sin(beta);
    const double along = 0.62 * size * taper * std::cos(beta) * std::cos(alpha);
    const double across = 0.3 * size * std::cos(beta) * std::sin(alpha);
    const double y = size * std::sin(beta) + 0.1 * along;
    const double rim = std::hypot(along / (0.62 * size), y / size);
    const double out = across * (1 - 0.6 * bump(rim / 0.45));
    p.position = centre + Vec3(side * (out * std::cos(angle) - along * std::sin(angle) + 0.045), y,
                               along * std::cos(angle) + out * std::sin(angle));
    p.tone = id.skin * (0.95 - 0.45 * bump((rim - 0.45) / 0.2));
    p.gloss = 0.03;
    p.occlusion = 0.75 - 0.3 * bump(rim / 0.4);
    return p;
  };
  Patch patch = make_patch(spaced(-pi / 2, pi / 2, lines(14, detail), even), spaced(-pi, pi, lines(18, detail), even),
                           false, surface);
  patch.two_sided = true;
  return patch;
}

Patch torso(const Identity& id, double detail) {
  const auto surface = [&](double y, double alpha, double) {
    SurfacePoint p;
    const double shoulders = step(-1.12, -1.62, y);
    const double width = mix(id.neck * (1 + 0.08 * bump((y + 1.15) / 0.2)), 1.5, shoulders);
    const double depth = mix(id.neck * 0.95, 0.62, shoulders);
    const double z = mix(0.02, -0.1, step(-0.6, -1.2, y));
    p.position = {width * std::sin(alpha), y, z - 0.12 + depth * std::cos(alpha)};
    const double collar = -1.3 + 0.1 * std::cos(alpha) * -1 + 0.06;
    const double clothes = step(0.02, -0.02, y - collar);
    p.tone = mix(id.skin * 0.9, id.clothes, clothes);
    p.gloss = mix(0.03, 0.0, clothes);
    p.occlusion = mix(0.45, 1, step(-0.85, -1.35, y));
    return p;
  };
  Patch patch = make_patch(spaced(-2.2, -0.5, lines(26, detail), even),
                           spaced(-0.6 * pi, 0.6 * pi, lines(28, detail), even), false, surface);
  patch.moves_with_head = false;
  return patch;
}

// A narrow strip along a path, for the frames of glasses.
Patch strip(const std::function<Vec3(double)>& path, const Vec3& across, double low, double high, int n) {
  Patch patch = make_patch({-1, 0, 1}, spaced(low, high, n, even), false, [&](double side, double t, double) {
    SurfacePoint p;
    p.position = path(t) + side * across + (side == 0 ? Vec3(0, 0, 0.012) : Vec3::Zero());
    p.tone = 0.015;
    p.gloss = 0.1;
    return p;
  });
  patch.two_sided = true;
  return patch;
}

void add_glasses(const Identity& id, double detail, std::vector<Patch>& patches) {
  const double z = 0.8, half_width = 0.215, half_height = mix(0.13, 0.17, id.age), frame = id.glasses;
  for (const double side : {-1.0, 1.0}) {
    Patch ring =
        make_patch({-1, 0, 1}, spaced(0, 2 * pi, lines(28, detail), even), false, [&](double s, double t, double) {
          SurfacePoint p;
          const double c = signed_power(std::cos(t), 0.75), d = signed_power(std::sin(t), 0.75);
          p.position = {side * (id.eye_x + 0.015) + (half_width + s * frame) * c,
                        id.eye_y - 0.01 + (half_height + s * frame) * d,
                        z - 0.12 * std::pow(id.eye_x + side * 0.2 * c, 2) + (s == 0 ? 0.015 : 0)};
          p.tone = 0.015;
          p.gloss = 0.12;
          return p;
        });
    ring.two_sided = true;
    patches.push_back(std::move(ring));
    const Vec3 hinge(side * (id.eye_x + half_width + 0.015), id.eye_y + 0.03, z - 0.06),
        over_ear(side * 0.7 * id.width, id.eye_y + 0.04, -0.05);
    patches.push_back(
        strip([&](double t) { return Vec3(hinge + t * (over_ear - hinge)); }, Vec3(0, frame, 0), 0, 1, 6));
  }
  const double inner = id.eye_x - half_width;
  patches.push_back(strip([&](double t) { return Vec3(t * inner, id.eye_y + 0.04 + 0.02 * (1 - t * t), z + 0.02); },
                          Vec3(0, frame, 0), -1, 1, 6));
}

}  // namespace

Head build_head(const Identity& id, double detail) {
  Head head;
  head.patches.push_back(face(id, detail));
  head.patches.push_back(hair(id, detail));
  for (const double side : {-1.0, 1.0}) head.patches.push_back(ear(id, side, detail));
  head.patches.push_back(torso(id, detail));
  if (id.glasses > 0) add_glasses(id, detail, head.patches);
  return head;
}

Patch make_patch(const std::vector<double>& row_parameters, const std::vector<double>& column_parameters,
                 bool expressive, const std::function<SurfacePoint(double, double, double)>& surface) {
  Patch patch;
  patch.rows = static_cast<int>(row_parameters.size());
  patch.columns = static_cast<int>(column_parameters.size());
  for (const double row : row_parameters)
    for (const double column : column_parameters) {
      const SurfacePoint rest = surface(row, column, 0);
      patch.rest.push_back(rest);
      if (!expressive) continue;
      const SurfacePoint smile = surface(row, column, 1), frown = surface(row, column, -1);
      patch.linear.push_back(0.5 * (smile.position - frown.position));
      patch.square.push_back(0.5 * (smile.position + frown.position) - rest.position);
      patch.tone_linear.push_back(0.5 * (smile.tone - frown.tone));
      patch.tone_square.push_back(0.5 * (smile.tone + frown.tone) - rest.tone);
    }
  return patch;
}

std::vector<double> spaced(double low, double high, int n, const std::function<double(double)>& density) {
  constexpr int kSteps = 2000;
  std::vector<double> cumulative(kSteps + 1, 0.0);
  for (int i = 0; i < kSteps; ++i) cumulative[i + 1] = cumulative[i] + density(mix(low, high, (i + 0.5) / kSteps));
  std::vector<double> values;
  int i = 0;
  for (int k = 0; k < n; ++k) {
    const double target = cumulative.back() * k / (n - 1);
    while (i < kSteps - 1 && cumulative[i + 1] < target) ++i;
    const double within = std::clamp((target - cumulative[i]) / (cumulative[i + 1] - cumulative[i]), 0.0, 1.0);
    values.push_back(mix(low, high, (i + within) / kSteps));
  }
  return values;
}

}  // namespace foldout::faces
