// SPDX-License-Identifier: Apache-2.0
#include "foldout/data/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "foldout/core/error.h"

namespace foldout {
namespace {

using std::numbers::pi;

// The length of the planar spiral (t cos t, t sin t) from 0 to t, by Simpson's rule: ∫√(1 + s²) ds.
double spiral_length(double t) {
  const int steps = 2000;
  const double h = t / steps;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double weight = i == 0 || i == steps ? 1 : (i % 2 == 1 ? 4 : 2);
    sum += weight * std::sqrt(1 + std::pow(i * h, 2));
  }
  return sum * h / 3;
}

TEST(SwissRoll, TruthIsTheArcLength) {
  const SyntheticData data = make_swiss_roll(50, 7);
  EXPECT_EQ(data.truth_columns, (std::vector<std::string>{"arc_length", "height", "angle"}));
  for (Index i = 0; i < 50; ++i) {
    const double t = data.truth(i, 2);
    EXPECT_NEAR(data.truth(i, 0), spiral_length(t), 1e-9);
    EXPECT_DOUBLE_EQ(data.samples(i, 0), t * std::cos(t));
    EXPECT_DOUBLE_EQ(data.samples(i, 1), data.truth(i, 1));
    EXPECT_DOUBLE_EQ(data.samples(i, 2), t * std::sin(t));
  }
}

TEST(SwissRoll, AngleAndHeightFillTheirRanges) {
  const SyntheticData data = make_swiss_roll(4000);
  EXPECT_GE(data.truth.col(2).minCoeff(), 1.5 * pi);
  EXPECT_LT(data.truth.col(2).maxCoeff(), 4.5 * pi);
  EXPECT_NEAR(data.truth.col(2).mean(), 3 * pi, 0.2);
  EXPECT_GE(data.truth.col(1).minCoeff(), 0);
  EXPECT_LT(data.truth.col(1).maxCoeff(), 21);
  EXPECT_NEAR(data.truth.col(1).mean(), 10.5, 0.5);
}

TEST(SwissRoll, StretchActsOnTheThirdAxisOnly) {
  const SyntheticData plain = make_swiss_roll(20, 3), stretched = make_swiss_roll(20, 3, {.p = 2.5});
  EXPECT_EQ(plain.samples.leftCols(2), stretched.samples.leftCols(2));
  EXPECT_TRUE(stretched.samples.col(2).isApprox(2.5 * plain.samples.col(2), 1e-15));
}

TEST(SwissRoll, NoisePerturbsTheSameSamples) {
  const SyntheticData clean = make_swiss_roll(3000, 5), noisy = make_swiss_roll(3000, 5, {.noise = 0.3});
  EXPECT_EQ(clean.truth, noisy.truth);
  const Matrix difference = noisy.samples - clean.samples;
  EXPECT_NEAR(std::sqrt(difference.squaredNorm() / 9000), 0.3, 0.01);
  EXPECT_NEAR(difference.mean(), 0, 0.01);
}

TEST(SwissRoll, SampleDoesNotDependOnTheirNumber) {
  EXPECT_EQ(make_swiss_roll(10, 4, {.noise = 1}).samples, make_swiss_roll(30, 4, {.noise = 1}).samples.topRows(10));
}

TEST(SwissRoll, SameSeedSameBitsOtherSeedOtherBits) {
  EXPECT_EQ(make_swiss_roll(10, 4).samples, make_swiss_roll(10, 4).samples);
  EXPECT_NE(make_swiss_roll(10, 4).samples, make_swiss_roll(10, 5).samples);
}

TEST(SwissHole, HoleIsEmptyAndTheRestIsNot) {
  const SyntheticData data = make_swiss_hole(3000, 1);
  Index beside = 0;
  for (Index i = 0; i < 3000; ++i) {
    const double t = data.truth(i, 2), h = data.truth(i, 1);
    EXPECT_FALSE(t > 9 && t < 12 && h > 9 && h < 14);
    if (t > 9 && t < 12) ++beside;
  }
  EXPECT_GT(beside, 500);
}

TEST(Gaussian, HeightIsTheDensity) {
  const SyntheticData data = make_gaussian(2000, 2, {.p = 1.5});
  for (Index i = 0; i < 2000; ++i) {
    const double r2 = data.truth.row(i).squaredNorm();
    EXPECT_EQ(data.samples.row(i).head(2), data.truth.row(i));
    EXPECT_NEAR(data.samples(i, 2), std::exp(-r2 / 4.5) / (2 * pi * 2.25), 1e-15);
  }
  EXPECT_NEAR(std::sqrt(data.truth.squaredNorm() / 4000), 1.5, 0.05);
}

TEST(PuncturedSphere, SamplesLieOnTheSphere) {
  for (const bool random : {false, true}) {
    const SyntheticData data = make_punctured_sphere(500, 1, {.random = random});
    for (Index i = 0; i < 500; ++i) {  // centre (0, 0, 1), radius 1
      const double x = data.samples(i, 0), y = data.samples(i, 1), z = data.samples(i, 2);
      EXPECT_NEAR(x * x + y * y + (z - 1) * (z - 1), 1, 1e-12);
      EXPECT_NEAR(data.truth.row(i).squaredNorm(), 4 * z / (2 - z), 1e-9);  // stereographic projection
    }
  }
}

TEST(PuncturedSphere, GridHasTheFormulasStepAndTheNearestPoints) {
  const SyntheticData data = make_punctured_sphere(400);
  std::set<std::pair<double, double>> points;
  for (Index i = 0; i < 400; ++i) {
    points.emplace(data.truth(i, 0), data.truth(i, 1));
    for (Index j = 0; j < 2; ++j) {
      const double steps = (data.truth(i, j) + 5) / 0.45;
      EXPECT_NEAR(steps, std::round(steps), 1e-9);
    }
    EXPECT_GE(data.truth.row(i).squaredNorm(), data.truth.row(std::max<Index>(i, 1) - 1).squaredNorm());
  }
  EXPECT_EQ(points.size(), 400U);
  EXPECT_LT(data.truth.rowwise().norm().maxCoeff(), 5.3);
}

TEST(PuncturedSphere, AnyNumberOfPointsIsFound) {
  for (Index n = 1; n <= 60; ++n) EXPECT_EQ(make_punctured_sphere(n).samples.rows(), n);
}

TEST(PuncturedSphere, RandomDiscIsUniform) {
  const SyntheticData data = make_punctured_sphere(4000, 3, {.random = true});
  const Vector radii = data.truth.rowwise().norm();
  EXPECT_LT(radii.maxCoeff(), 5);
  EXPECT_NEAR((radii.array() < 5 / std::sqrt(2.0)).count() / 4000.0, 0.5, 0.03);
}

TEST(SCurve, FollowsTheFormulaAndTruthIsTheArcLength) {
  const SyntheticData data = make_s_curve(300, 9);
  for (Index i = 0; i < 300; ++i) {
    const double t = data.truth(i, 0);
    EXPECT_LE(std::abs(t), 1.5 * pi);
    EXPECT_DOUBLE_EQ(data.samples(i, 0), std::sin(t));
    EXPECT_DOUBLE_EQ(data.samples(i, 1), data.truth(i, 1));
    EXPECT_DOUBLE_EQ(data.samples(i, 2), t >= 0 ? std::cos(t) - 1 : 1 - std::cos(t));
  }
  EXPECT_NEAR(data.truth.col(1).mean(), 1, 0.1);
}

TEST(TwinPeaks, FollowsTheFormula) {
  const SyntheticData data = make_twin_peaks(300, 9, {.p = 2});
  EXPECT_LE(data.truth.cwiseAbs().maxCoeff(), 1);
  for (Index i = 0; i < 300; ++i) {
    const double x = data.truth(i, 0), y = data.truth(i, 1);
    EXPECT_NEAR(data.samples(i, 2), 2 * std::sin(pi * x) * std::tanh(3 * y), 1e-15);
  }
}

TEST(ToroidalHelix, FollowsTheFormula) {
  const SyntheticData data = make_toroidal_helix(100, 0, {.p = 2, .noise = 0});
  EXPECT_DOUBLE_EQ(data.truth(99, 0), 2 * pi);
  EXPECT_DOUBLE_EQ(data.truth(49, 0), 2 * pi * 0.25);
  for (Index i = 0; i < 100; ++i) {  // on the torus of radii 2 and 1
    const double ring = std::hypot(data.samples(i, 0), data.samples(i, 1)) - 2;
    EXPECT_NEAR(std::hypot(ring, data.samples(i, 2)), 1, 1e-12);
    EXPECT_NEAR(data.samples(i, 2), std::sin(8 * data.truth(i, 0)), 1e-12);
  }
}

TEST(ToroidalHelix, DefaultNoiseIsThatOfTheFormula) {
  const Matrix difference = make_toroidal_helix(3000).samples - make_toroidal_helix(3000, 0, {.noise = 0}).samples;
  EXPECT_NEAR(std::sqrt(difference.squaredNorm() / 9000), 0.05, 0.002);
}

TEST(Synthetic, WrongRequestsAreNamed) {
  EXPECT_THROW((void)make_swiss_roll(0), InvalidArgument);
  EXPECT_THROW((void)make_swiss_roll(5, 0, {.p = 0}), InvalidArgument);
  EXPECT_THROW((void)make_swiss_roll(5, 0, {.p = 1e308}), InvalidArgument) << "its samples would not be finite";
  try {
    (void)make_twin_peaks(5, 0, {.noise = -1});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "twin_peaks: noise = -1 must be 0 … 1e+100");
  }
}

TEST(Synthetic, SamplesAreFiniteForAllThatIsAllowed) {
  for (const double p : {1e-100, 1e100}) {
    EXPECT_TRUE(make_swiss_roll(50, 0, {.p = p, .noise = 1e100}).samples.allFinite());
    EXPECT_TRUE(make_gaussian(50, 0, {.p = p}).samples.allFinite());
    EXPECT_TRUE(make_punctured_sphere(50, 0, {.p = p}).samples.allFinite());
    EXPECT_TRUE(make_twin_peaks(50, 0, {.p = p}).samples.allFinite());
    EXPECT_TRUE(make_toroidal_helix(50, 0, {.p = p}).samples.allFinite());
  }
}

}  // namespace
}  // namespace foldout
