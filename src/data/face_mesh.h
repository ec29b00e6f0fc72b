// SPDX-License-Identifier: Apache-2.0
// A head as a few grids of points. Position and tone of a point are quadratic in the expression e (−1 frown,
// 0 rest, 1 smile), interpolated from these three; every image is therefore a smooth function of its parameters.
#pragma once

#include <functional>
#include <vector>

#include "data/face_identity.h"

namespace foldout::faces {

using Vec3 = Eigen::Vector3d;

/// A point of a surface, at one expression.
struct SurfacePoint {
  Vec3 position = Vec3::Zero();
  double tone = 0;       ///< linear reflectance
  double gloss = 0;      ///< strength of the highlight
  double occlusion = 1;  ///< fraction of the ambient light that arrives
  double mask = 1;       ///< the surface is cut where this is negative
};

/// A surface sampled on a grid: rows × columns points, row by row.
struct Patch {
  int rows = 0, columns = 0;
  bool moves_with_head = true;
  bool two_sided = false;  ///< also visible from behind
  std::vector<SurfacePoint> rest;
  std::vector<Vec3> linear, square;              ///< position = rest + e·linear + e²·square; empty if it never moves
  std::vector<double> tone_linear, tone_square;  ///< the same for the tone
};

struct Head {
  std::vector<Patch> patches;
};

/// The whole head of a person; `detail` scales the number of grid lines (1 suits images of 32 × 32).
[[nodiscard]] Head build_head(const Identity& identity, double detail);

/// Samples surface(row parameter, column parameter, e) at the given parameters.
[[nodiscard]] Patch make_patch(const std::vector<double>& row_parameters, const std::vector<double>& column_parameters,
                               bool expressive,
                               const std::function<SurfacePoint(double row, double column, double e)>& surface);

/// n values from `low` to `high`, spaced so that their density is proportional to `density`.
[[nodiscard]] std::vector<double> spaced(double low, double high, int n, const std::function<double(double)>& density);

}  // namespace foldout::faces
