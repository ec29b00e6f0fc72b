// SPDX-License-Identifier: Apache-2.0
#include "foldout/embed/mds.h"
#include "embed/scaling.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

void expect_fit(const Embedding& fit, const oracle::Fit& expected) {
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
  EXPECT_LT((fit.eigenvalues - expected.eigenvalues).cwiseAbs().maxCoeff(), 1e-10 * expected.eigenvalues[0]);
}

TEST(Mds, ScalesTheDistances) {
  const Matrix X = dataset::lifted_roll(180, 9);
  const oracle::Fit expected = oracle::classical_scaling(oracle::distances(X, X), 5);
  for (const auto solver : {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kLanczos})
    expect_fit(fit_mds(X, {.n_components = 5, .solver = solver}), expected);
}

TEST(Mds, KeepsAllDistancesInFullDimension) {
  const Matrix X = Rng(1).normal_matrix(60, 4);
  const Matrix Y = fit_mds(X, {.n_components = 4}).coordinates;
  EXPECT_LT((oracle::distances(Y, Y) - oracle::distances(X, X)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Mds, SupportsTheCosineMetric) {
  const Matrix X = Rng(2).normal_matrix(100, 6);
  expect_fit(fit_mds(X, {.n_components = 3, .metric = Metric::kCosine}),
             oracle::classical_scaling(oracle::distances(X, X, Metric::kCosine), 3));
}

TEST(Mds, WorksWithFewerSamplesThanFeatures) {
  const Matrix X = Rng(3).normal_matrix(20, 100);
  expect_fit(fit_mds(X, {.n_components = 6}), oracle::classical_scaling(oracle::distances(X, X), 6));
}

TEST(Mds, ReportsHowManyDimensionsThereAre) {
  Matrix X = Rng(4).normal_matrix(40, 3);
  X.col(2) = X.col(0) - X.col(1);
  for (const auto solver : {EigenSolver::kAuto, EigenSolver::kDense}) {
    const std::string text =
        message_of<InvalidArgument>([&] { (void)fit_mds(X, {.n_components = 3, .solver = solver}); });
    EXPECT_TRUE(contains(text, "n_components = 3, but the samples span only 2 dimensions")) << text;
    EXPECT_TRUE(contains(text, "ask for at most 2")) << text;
  }
}

TEST(Mds, ReportsTheDimensionsFoundEvenIfFarMoreWereRequested) {
  const Matrix X = Rng(5).normal_matrix(40, 5);
  const std::string text = message_of<InvalidArgument>([&] { (void)fit_mds(X, {.n_components = 9}); });
  EXPECT_TRUE(contains(text, "ask for at most 5")) << text;
}

TEST(DoubleCenter, IsMinusHalfJDJ) {
  const Matrix D2 = oracle::distances(Rng(6).normal_matrix(30, 3), Rng(6).normal_matrix(30, 3)).cwiseAbs2();
  Matrix B = D2;
  const Vector means = double_center(B);
  EXPECT_LT((means - Vector(D2.rowwise().mean())).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT(B.rowwise().sum().cwiseAbs().maxCoeff(), 1e-12);
  for (const auto& [i, j] : {std::pair{0, 0}, std::pair{3, 17}})
    EXPECT_NEAR(B(i, j), -0.5 * (D2(i, j) - D2.row(i).mean() - D2.col(j).mean() + D2.mean()), 1e-13);
}

}  // namespace
}  // namespace foldout
