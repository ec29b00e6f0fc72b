// SPDX-License-Identifier: Apache-2.0
#include "foldout/data/synthetic.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/random.h"

namespace foldout {
namespace {

using std::numbers::pi;

// Far beyond any use, and all samples are finite.
constexpr double kLeast = 1e-100, kMost = 1e100;
constexpr Key kStretch{.name = "p", .meaning = "stretch of the third axis", .min = kLeast, .max = kMost};
constexpr Key kSpread{.name = "p", .meaning = "standard deviation of the bump", .min = kLeast, .max = kMost};
constexpr Key kHeight{.name = "p", .meaning = "height of the peaks", .min = kLeast, .max = kMost};
constexpr Key kSpacing{
    .name = "p", .meaning = "exponent of the spacing along the curve; 1 is even", .min = kLeast, .max = kMost};
constexpr Key kNoise{
    .name = "noise", .meaning = "standard deviation of the noise added to every coordinate", .min = 0, .max = kMost};
constexpr Key kRandom{.name = "random", .meaning = "sample the disc at random instead of on a grid"};

template <class Options>
SyntheticData start(Index n, Options options, std::string_view name, std::vector<std::string> truth_columns) {
  check_fields(fields(options), name);
  if (n < 1) reject("n", static_cast<double>(n), "must be at least 1: ask for one sample or more");
  const auto width = static_cast<Index>(truth_columns.size());
  require_memory(static_cast<double>(n) * static_cast<double>(3 + width) * sizeof(double), name,
                 "ask for fewer samples");
  SyntheticData data;
  data.samples.resize(n, 3);
  data.truth.resize(n, width);
  data.truth_columns = std::move(truth_columns);
  return data;
}

void add_noise(SyntheticData& data, std::uint64_t seed, double noise) {
  if (noise > 0) data.samples += noise * Rng(seed).stream(0).normal_matrix(data.samples.rows(), data.samples.cols());
}

bool in_hole(double t, double h) { return t > 9 && t < 12 && h > 9 && h < 14; }

SyntheticData swiss(Index n, std::uint64_t seed, const SwissRollOptions& options, bool hole) {
  SyntheticData data = start(n, options, hole ? "swiss_hole" : "swiss_roll", {"arc_length", "height", "angle"});
  Rng rng(seed);
  for (Index i = 0; i < n; ++i) {
    double t = 0, h = 0;
    do {
      t = 1.5 * pi * (1 + 2 * rng.uniform());
      h = 21 * rng.uniform();
    } while (hole && in_hole(t, h));
    data.samples.row(i) << t * std::cos(t), h, options.p * t * std::sin(t);
    data.truth.row(i) << 0.5 * (t * std::sqrt(1 + t * t) + std::asinh(t)), h, t;
  }
  add_noise(data, seed, options.noise);
  return data;
}

// The n points of the grid that are nearest to the origin, the nearest first; ties are broken by grid index.
Matrix disc_grid(Index n) {
  const double step = 9 / std::sqrt(static_cast<double>(n));
  const auto side = static_cast<Index>(std::floor(10 / step)) + 1;  // > √n, so there are enough
  Matrix grid(side * side, 2);
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j)
      grid.row(i * side + j) << -5 + step * static_cast<double>(i), -5 + step * static_cast<double>(j);
  std::vector<Index> order(static_cast<std::size_t>(grid.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index i) { return grid.row(i).squaredNorm(); });
  Matrix disc(n, 2);
  for (Index i = 0; i < n; ++i) disc.row(i) = grid.row(order[static_cast<std::size_t>(i)]);
  return disc;
}

Matrix disc_sample(Index n, std::uint64_t seed) {
  Rng rng(seed);
  Matrix disc(n, 2);
  for (Index i = 0; i < n; ++i) {
    const double radius = 5 * std::sqrt(rng.uniform()), angle = 2 * pi * rng.uniform();
    disc.row(i) << radius * std::cos(angle), radius * std::sin(angle);
  }
  return disc;
}

}  // namespace

Fields fields(SwissRollOptions& o) { return {{kStretch, o.p}, {kNoise, o.noise}}; }
Fields fields(GaussianOptions& o) { return {{kSpread, o.p}, {kNoise, o.noise}}; }
Fields fields(PuncturedSphereOptions& o) { return {{kStretch, o.p}, {kRandom, o.random}, {kNoise, o.noise}}; }
Fields fields(SCurveOptions& o) { return {{kNoise, o.noise}}; }
Fields fields(TwinPeaksOptions& o) { return {{kHeight, o.p}, {kNoise, o.noise}}; }
Fields fields(ToroidalHelixOptions& o) { return {{kSpacing, o.p}, {kNoise, o.noise}}; }

SyntheticData make_swiss_roll(Index n, std::uint64_t seed, const SwissRollOptions& options) {
  return swiss(n, seed, options, false);
}

SyntheticData make_swiss_hole(Index n, std::uint64_t seed, const SwissRollOptions& options) {
  return swiss(n, seed, options, true);
}

SyntheticData make_gaussian(Index n, std::uint64_t seed, const GaussianOptions& options) {
  SyntheticData data = start(n, options, "gaussian", {"x", "y"});
  data.truth = options.p * Rng(seed).normal_matrix(n, 2);
  const double two_p2 = 2 * options.p * options.p;
  for (Index i = 0; i < n; ++i)
    data.samples.row(i) << data.truth.row(i), std::exp(-data.truth.row(i).squaredNorm() / two_p2) / (pi * two_p2);
  add_noise(data, seed, options.noise);
  return data;
}

SyntheticData make_punctured_sphere(Index n, std::uint64_t seed, const PuncturedSphereOptions& options) {
  SyntheticData data = start(n, options, "punctured_sphere", {"y1", "y2"});
  data.truth = options.random ? disc_sample(n, seed) : disc_grid(n);
  for (Index i = 0; i < n; ++i) {
    const double a = 4 / (4 + data.truth.row(i).squaredNorm());
    data.samples.row(i) << a * data.truth.row(i), 2 * options.p * (1 - a);
  }
  add_noise(data, seed, options.noise);
  return data;
}

SyntheticData make_s_curve(Index n, std::uint64_t seed, const SCurveOptions& options) {
  SyntheticData data = start(n, options, "s_curve", {"arc_length", "height"});
  Rng rng(seed);
  for (Index i = 0; i < n; ++i) {
    const double t = 3 * pi * (rng.uniform() - 0.5), height = 2 * rng.uniform();
    data.samples.row(i) << std::sin(t), height, std::copysign(1.0, t) * (std::cos(t) - 1);
    data.truth.row(i) << t, height;
  }
  add_noise(data, seed, options.noise);
  return data;
}

SyntheticData make_twin_peaks(Index n, std::uint64_t seed, const TwinPeaksOptions& options) {
  SyntheticData data = start(n, options, "twin_peaks", {"x", "y"});
  Rng rng(seed);
  for (Index i = 0; i < n; ++i) {
    const double x = 1 - 2 * rng.uniform(), y = 1 - 2 * rng.uniform();
    data.samples.row(i) << x, y, options.p * std::sin(pi * x) * std::tanh(3 * y);
    data.truth.row(i) << x, y;
  }
  add_noise(data, seed, options.noise);
  return data;
}

SyntheticData make_toroidal_helix(Index n, std::uint64_t seed, const ToroidalHelixOptions& options) {
  SyntheticData data = start(n, options, "toroidal_helix", {"angle"});
  for (Index i = 0; i < n; ++i) {
    const double t = 2 * pi * std::pow(static_cast<double>(i + 1) / static_cast<double>(n), options.p);
    const double radius = 2 + std::cos(8 * t);
    data.samples.row(i) << radius * std::cos(t), radius * std::sin(t), std::sin(8 * t);
    data.truth(i, 0) = t;
  }
  add_noise(data, seed, options.noise);
  return data;
}

}  // namespace foldout
