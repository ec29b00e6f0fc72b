// SPDX-License-Identifier: Apache-2.0
// Surfaces and one curve in three dimensions, with their true coordinates. The seven are those of the
// manifold-learning demonstration of Wittman (mani, 2005), here with the arc length of the swiss rolls.
// u, v are uniform on [0, 1). All randomness derives from the seed; noise has a separate random stream, so adding it
// perturbs the same samples. Except for punctured_sphere on its grid and toroidal_helix, sample i does not depend on n.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/fields.h"

namespace [[gnu::visibility("default")]] foldout {

/// Samples whose true coordinates are known.
struct SyntheticData : Dataset {
  Matrix truth;                            ///< the parameters that each sample was made from, row by row
  std::vector<std::string> truth_columns;  ///< the name of each column of `truth`
};

struct SwissRollOptions {
  double p = 1;      ///< stretch of the third axis, > 0
  double noise = 0;  ///< standard deviation of the noise added to every coordinate, ≥ 0
};

struct GaussianOptions {
  double p = 1;  ///< standard deviation of the bump, > 0
  double noise = 0;
};

struct PuncturedSphereOptions {
  double p = 1;         ///< stretch of the third axis, > 0
  bool random = false;  ///< sample the disc at random instead of on a grid
  double noise = 0;
};

struct SCurveOptions {
  double noise = 0;
};

struct TwinPeaksOptions {
  double p = 1;  ///< height of the peaks, > 0
  double noise = 0;
};

struct ToroidalHelixOptions {
  double p = 1;         ///< exponent of the spacing along the curve, > 0; 1 is even
  double noise = 0.05;  ///< on by default
};

[[nodiscard]] Fields fields(SwissRollOptions& options);
[[nodiscard]] Fields fields(GaussianOptions& options);
[[nodiscard]] Fields fields(PuncturedSphereOptions& options);
[[nodiscard]] Fields fields(SCurveOptions& options);
[[nodiscard]] Fields fields(TwinPeaksOptions& options);
[[nodiscard]] Fields fields(ToroidalHelixOptions& options);

/// t = 3π/2·(1 + 2u), h = 21v, sample (t cos t, h, p·t sin t).
/// Truth: arc_length ½[t√(1+t²) + asinh t] (exact for p = 1), height h, angle t.
[[nodiscard]] SyntheticData make_swiss_roll(Index n, std::uint64_t seed = 0, const SwissRollOptions& options = {});

/// The swiss roll with a rectangular hole: samples with 9 < t < 12 and 9 < h < 14 are redrawn.
[[nodiscard]] SyntheticData make_swiss_hole(Index n, std::uint64_t seed = 0, const SwissRollOptions& options = {});

/// x, y ~ N(0, p²), sample (x, y, exp(−(x² + y²)/2p²)/(2πp²)). Truth: x, y.
[[nodiscard]] SyntheticData make_gaussian(Index n, std::uint64_t seed = 0, const GaussianOptions& options = {});

/// The n points of a grid of step 9/√n on [−5, 5]² that are nearest to the origin (with `random`: n points of
/// the disc of radius 5), a = 4/(4 + r²), sample (a·y1, a·y2, 2p(1 − a)). Truth: y1, y2.
[[nodiscard]] SyntheticData make_punctured_sphere(Index n, std::uint64_t seed = 0,
                                                  const PuncturedSphereOptions& options = {});

/// t = 3π(u − ½), sample (sin t, 2v, sign(t)(cos t − 1)). Truth: arc_length t, height 2v.
[[nodiscard]] SyntheticData make_s_curve(Index n, std::uint64_t seed = 0, const SCurveOptions& options = {});

/// x = 1 − 2u, y = 1 − 2v, sample (x, y, p·sin(πx)·tanh(3y)). Truth: x, y.
[[nodiscard]] SyntheticData make_twin_peaks(Index n, std::uint64_t seed = 0, const TwinPeaksOptions& options = {});

/// t = 2π(i/n)^p, i = 1 … n, sample ((2 + cos 8t) cos t, (2 + cos 8t) sin t, sin 8t) + noise. Truth: angle t.
[[nodiscard]] SyntheticData make_toroidal_helix(Index n, std::uint64_t seed = 0,
                                                const ToroidalHelixOptions& options = {});

}  // namespace foldout
