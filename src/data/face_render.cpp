// SPDX-License-Identifier: Apache-2.0
// Points are moved, lit and projected; triangles are filled with interpolated brightness through a depth buffer.
// A first pass from the direction of the light finds the shadows. Brightness is averaged over the sub-samples of a
// pixel in linear light, then converted to a grey level (gamma 2.2).
#include "data/face_render.h"

#include <Eigen/Geometry>
#include <numbers>

#include "data/face_surface.h"

namespace foldout::faces {
namespace {

constexpr double kFar = -1e9;
constexpr double kBackground = 0.11, kAmbient = 0.32, kKey = 1.0;
constexpr double kWrap = 0.12;     // diffuse light extends slightly beyond the edge of the shade
const Vec3 kPivot(0, -0.15, 0.1);  // where the head turns on the neck

struct Point {
  double x, y, depth;  // in the image; a larger depth is nearer
  double light;
  double mask;
};

// The nearest surface at every sub-sample.
struct Buffer {
  explicit Buffer(int n) : side(n), depth(static_cast<std::size_t>(n) * n, kFar), light(depth.size(), kBackground) {}
  [[nodiscard]] std::size_t at(int row, int column) const { return static_cast<std::size_t>(row) * side + column; }
  int side;
  std::vector<double> depth, light;
};

struct Moved {
  std::vector<Vec3> position, normal;
  std::vector<double> tone;
};

double edge(const Point& a, const Point& b, double x, double y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

// Front faces are counter-clockwise.
void fill(Buffer& buffer, const Point& a, const Point& b, const Point& c, bool two_sided) {
  const double area = edge(a, b, c.x, c.y);
  if (area == 0 || (area < 0 && !two_sided)) return;
  if (a.mask < 0 && b.mask < 0 && c.mask < 0) return;
  const double inverse = 1 / area;
  const int left = std::max(0, static_cast<int>(std::ceil(std::min({a.x, b.x, c.x}) - 0.5)));
  const int right = std::min(buffer.side - 1, static_cast<int>(std::floor(std::max({a.x, b.x, c.x}) - 0.5)));
  const int top = std::max(0, static_cast<int>(std::ceil(std::min({a.y, b.y, c.y}) - 0.5)));
  const int bottom = std::min(buffer.side - 1, static_cast<int>(std::floor(std::max({a.y, b.y, c.y}) - 0.5)));
  for (int row = top; row <= bottom; ++row)
    for (int column = left; column <= right; ++column) {
      const double x = column + 0.5, y = row + 0.5;
      const double wa = edge(b, c, x, y) * inverse, wb = edge(c, a, x, y) * inverse, wc = 1 - wa - wb;
      if (wa < 0 || wb < 0 || wc < 0 || wa * a.mask + wb * b.mask + wc * c.mask < 0) continue;
      const double depth = wa * a.depth + wb * b.depth + wc * c.depth;
      const std::size_t at = buffer.at(row, column);
      if (depth <= buffer.depth[at]) continue;
      buffer.depth[at] = depth;
      buffer.light[at] = wa * a.light + wb * b.light + wc * c.light;
    }
}

void fill_patch(Buffer& buffer, const Patch& patch, const std::vector<Point>& points) {
  for (int i = 0; i + 1 < patch.rows; ++i)
    for (int j = 0; j + 1 < patch.columns; ++j) {
      const Point *a = &points[static_cast<std::size_t>(i) * patch.columns + j], *b = a + patch.columns;
      fill(buffer, a[0], b[0], a[1], patch.two_sided);
      fill(buffer, a[1], b[0], b[1], patch.two_sided);
    }
}

void find_normals(const Patch& patch, Moved& moved) {
  const int columns = patch.columns;
  const auto at = [&](int i, int j) -> const Vec3& {
    return moved.position[static_cast<std::size_t>(i) * columns + j];
  };
  moved.normal.resize(moved.position.size());
  for (int i = 0; i < patch.rows; ++i) {
    const int row = std::clamp(i, 1, patch.rows - 2);  // the first and the last row may be a single point
    for (int j = 0; j < columns; ++j) {
      const Vec3 along = at(row, std::min(j + 1, columns - 1)) - at(row, std::max(j - 1, 0));
      const Vec3 up = at(row + 1, j) - at(row - 1, j);
      moved.normal[static_cast<std::size_t>(i) * columns + j] = along.cross(up).normalized();
    }
  }
}

Moved move(const Patch& patch, const Eigen::Matrix3d& turn, double e) {
  Moved moved;
  moved.position.resize(patch.rest.size());
  moved.tone.resize(patch.rest.size());
  for (std::size_t k = 0; k < patch.rest.size(); ++k) {
    Vec3 position = patch.rest[k].position;
    moved.tone[k] = patch.rest[k].tone;
    if (!patch.linear.empty()) {
      position += e * patch.linear[k] + e * e * patch.square[k];
      moved.tone[k] += e * patch.tone_linear[k] + e * e * patch.tone_square[k];
    }
    moved.position[k] = patch.moves_with_head ? Vec3(turn * (position - kPivot) + kPivot) : position;
  }
  find_normals(patch, moved);
  return moved;
}

Vec3 direction(double azimuth, double elevation) {
  return {std::sin(azimuth) * std::cos(elevation), std::sin(elevation), std::cos(azimuth) * std::cos(elevation)};
}

// A depth buffer seen from the light.
class Shadows {
 public:
  Shadows(const Head& head, const std::vector<Moved>& moved, const Vec3& light)
      : light_(light),
        right_(Vec3(0, 1, 0).cross(light).normalized()),
        up_(light.cross(right_)),
        scale_(kSide / 3.6),
        buffer_(kSide) {
    for (std::size_t p = 0; p < head.patches.size(); ++p) {
      std::vector<Point> points;
      for (std::size_t k = 0; k < moved[p].position.size(); ++k) {
        points.push_back(project(moved[p].position[k]));
        points.back().mask = head.patches[p].rest[k].mask;
      }
      fill_patch(buffer_, head.patches[p], points);
    }
  }

  /// From 0 (in shadow) to 1 (lit): the fraction of nine positions around the point that the light reaches.
  [[nodiscard]] double lit(const Vec3& position, const Vec3& normal) const {
    const Point p = project(position + 0.045 * normal);
    const int column = static_cast<int>(p.x), row = static_cast<int>(p.y);
    if (column < 1 || row < 1 || column + 1 >= kSide || row + 1 >= kSide) return 1;
    double reached = 0;
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        reached += 1 - step(0.03, 0.1, buffer_.depth[buffer_.at(row + i, column + j)] - p.depth);
    return reached / 9;
  }

 private:
  static constexpr int kSide = 72;
  [[nodiscard]] Point project(const Vec3& position) const {
    const double half = 0.5 * kSide;
    return {half + scale_ * position.dot(right_), half - scale_ * (position.dot(up_) + 0.15), position.dot(light_), 0,
            1};
  }
  Vec3 light_, right_, up_;
  double scale_;
  Buffer buffer_;
};

double brightness(const SurfacePoint& rest, double tone, const Vec3& at, const Vec3& normal, const Vec3& light,
                  const Shadows& shadows) {
  const double ambient = kAmbient * rest.occlusion * (0.8 + 0.2 * normal.y());
  const double facing = normal.dot(light);
  if (facing < -kWrap) return std::max(0.0, tone) * ambient;
  const double lit = shadows.lit(at, normal), diffuse = (facing + kWrap) / (1 + kWrap) * lit;
  const double halfway = std::max(0.0, normal.dot((light + Vec3(0, 0, 1)).normalized()));
  const double h2 = halfway * halfway, h4 = h2 * h2, h8 = h4 * h4;
  return std::max(0.0, tone) * (ambient + kKey * diffuse) + rest.gloss * lit * h8 * h8 * (facing > 0 ? 1 : 0);
}

// The points of a patch as seen by the camera, in slight perspective: it is nine half head heights away.
std::vector<Point> seen(const Patch& patch, const Moved& moved, const Vec3& light, const Shadows& shadows, int side) {
  constexpr double kDistance = 9, kFrame = 2.42, kCentre = -0.03;
  std::vector<Point> points(patch.rest.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3& at = moved.position[k];
    const double scale = side / kFrame * kDistance / (kDistance - at.z());
    const bool hidden = !patch.two_sided && moved.normal[k].z() < -0.5;
    points[k] = {.x = 0.5 * side + scale * at.x(),
                 .y = 0.5 * side - scale * (at.y() - kCentre),
                 .depth = at.z(),
                 .light = hidden ? 0 : brightness(patch.rest[k], moved.tone[k], at, moved.normal[k], light, shadows),
                 .mask = patch.rest[k].mask};
  }
  return points;
}

void develop(const Buffer& buffer, int samples, int size, double* pixels) {
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) {
      double sum = 0;
      for (int i = 0; i < samples; ++i)
        for (int j = 0; j < samples; ++j) sum += buffer.light[buffer.at(row * samples + i, column * samples + j)];
      pixels[row * size + column] = 255 * std::pow(std::min(1.0, sum / (samples * samples)), 1 / 2.2);
    }
}

}  // namespace

void render_face(const Head& head, const View& view, int size, double* pixels) {
  constexpr double kRadians = std::numbers::pi / 180;
  const Eigen::Matrix3d turn =
      (Eigen::AngleAxisd(view.pan * kRadians, Vec3::UnitY()) * Eigen::AngleAxisd(-view.tilt * kRadians, Vec3::UnitX()))
          .toRotationMatrix();
  const Vec3 light = direction(view.light_azimuth * kRadians, view.light_elevation * kRadians);
  std::vector<Moved> moved;
  for (const Patch& patch : head.patches) moved.push_back(move(patch, turn, view.expression));
  const Shadows shadows(head, moved, light);

  const int samples = std::max(2, (96 + size - 1) / size);  // sub-samples of a pixel, along each axis
  Buffer buffer(size * samples);
  for (std::size_t p = 0; p < head.patches.size(); ++p)
    fill_patch(buffer, head.patches[p], seen(head.patches[p], moved[p], light, shadows, buffer.side));
  develop(buffer, samples, size, pixels);
}

}  // namespace foldout::faces
