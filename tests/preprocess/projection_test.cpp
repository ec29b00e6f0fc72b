// SPDX-License-Identifier: Apache-2.0
#include "foldout/preprocess/preprocess.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

TEST(RandomProjection, PreservesLengthsOnAverage) {
  const Matrix X = Rng(1).normal_matrix(40, 300);
  const Matrix Z = fit_random_projection(X, {.n_components = 200, .seed = 3})->apply(X);
  EXPECT_EQ(Z.cols(), 200);
  EXPECT_NEAR(Z.squaredNorm() / X.squaredNorm(), 1, 0.1);
  EXPECT_LT((oracle::distances(Z, Z) - oracle::distances(X, X)).norm() / oracle::distances(X, X).norm(), 0.1);
}

TEST(RandomProjection, DependsOnlyOnTheSeed) {
  const Matrix X = Rng(2).normal_matrix(20, 30), other = Rng(3).normal_matrix(50, 30);
  const auto project = [&](const Matrix& train, std::uint64_t seed) {
    return fit_random_projection(train, {.n_components = 6, .seed = seed})->apply(X);
  };
  EXPECT_TRUE(dataset::same_bits(project(X, 4), project(other, 4)));
  EXPECT_FALSE(dataset::same_bits(project(X, 4), project(X, 5)));
  const Matrix R = Rng(4).normal_matrix(30, 6) / std::sqrt(6.0);
  EXPECT_LT((project(X, 4) - X * R).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(PcaStep, KeepsTheDirectionsOfLargestVariance) {
  const Matrix X = dataset::lifted_roll(100, 8), fresh = dataset::lifted_roll(20, 8, 5);
  const oracle::Fit expected = oracle::classical_scaling(oracle::distances(X, X), 4);
  const auto step = fit_pca_step(X, {.n_components = 4});
  EXPECT_LT(oracle::difference_up_to_sign(step->apply(X), expected.coordinates), 1e-9);
  EXPECT_GT(step->apply(fresh).colwise().mean().norm(), 1e-3);  // centred by the training mean, not by its own
}

TEST(PcaStep, WhitensToUnitVariance) {
  const Matrix X = dataset::lifted_roll(100, 8);
  const Matrix Z = fit_pca_step(X, {.whiten = true})->apply(X);
  const Matrix covariance = Z.transpose() * Z / 100;
  EXPECT_LT((covariance - Matrix::Identity(8, 8)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(PcaStep, KeepsTheRequestedVariance) {
  Matrix X = Matrix::Zero(4, 3);  // variances in the ratio 16 : 4 : 1
  X.col(0) << 4, -4, 4, -4;
  X.col(1) << 2, 2, -2, -2;
  X.col(2) << 1, -1, -1, 1;
  EXPECT_EQ(fit_pca_step(X, {.variance = 0.7})->n_outputs(), 1);
  EXPECT_EQ(fit_pca_step(X, {.variance = 0.8})->n_outputs(), 2);
  EXPECT_EQ(fit_pca_step(X, {.variance = 20.0 / 21})->n_outputs(), 2);
  EXPECT_EQ(fit_pca_step(X, {.variance = 1})->n_outputs(), 3);
  EXPECT_EQ(fit_pca_step(X, {.n_components = 0.7})->n_outputs(), 1);
  EXPECT_EQ(fit_pca_step(X, {.n_components = 0.8})->n_outputs(), 2);
  EXPECT_EQ(fit_pca_step(X, {.n_components = 0.96})->n_outputs(), 3);
  EXPECT_EQ(fit_pca_step(X)->n_outputs(), 3);
}

TEST(PcaStep, RefusesWhatIsNotThere) {
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([] { (void)fit_pca_step(Matrix::Ones(9, 3)); }), "all samples are equal"));
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([] { (void)fit_pca_step(Rng(1).normal_matrix(9, 3), {.n_components = 4}); }),
               "span only 3 dimensions: ask for at most 3"));
  EXPECT_THROW((void)fit_pca_step(Rng(1).normal_matrix(9, 3), {.variance = 0}), InvalidArgument);
}

TEST(KernelWhitening, GivesTrainingSamplesUnitCovariance) {
  const Matrix X = dataset::roll(80);
  for (const KernelWhiteningOptions& options : {KernelWhiteningOptions{},
                                                {.n_components = 5},
                                                {.n_components = 4, .kernel = KernelKind::kPolynomial},
                                                {.n_components = 3, .kernel = KernelKind::kLinear}}) {
    const auto step = fit_kernel_whitening(X, options);
    const Matrix Z = step->apply(X);
    const Matrix covariance = Z.transpose() * Z / 80;
    EXPECT_LT((covariance - Matrix::Identity(Z.cols(), Z.cols())).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT(Z.colwise().mean().cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(KernelWhitening, ScalesKernelComponents) {
  const Matrix X = dataset::roll(60);
  const double width = oracle::distances(X, X).squaredNorm() / (60.0 * 59.0);
  const oracle::Fit fit = oracle::kernel_pca(oracle::heat(oracle::distances(X, X), Matrix::Ones(60, 60), width), 4);
  Matrix expected = fit.coordinates;
  for (Index c = 0; c < 4; ++c) expected.col(c) *= std::sqrt(60 / fit.eigenvalues[c]);
  EXPECT_LT(oracle::difference_up_to_sign(fit_kernel_whitening(X, {.n_components = 4})->apply(X), expected), 1e-8);
}

TEST(KernelWhitening, RefusesMoreDirectionsThanThereAre) {
  EXPECT_TRUE(contains(message_of<InvalidArgument>([] {
                         (void)fit_kernel_whitening(Rng(1).normal_matrix(30, 2),
                                                    {.n_components = 3, .kernel = KernelKind::kLinear});
                       }),
                       "n_components = 3, but only 2 directions carry variance"));
  EXPECT_THROW((void)fit_kernel_whitening(Matrix::Ones(9, 3)), InvalidArgument);
  EXPECT_THROW((void)fit_kernel_whitening(dataset::roll(30), {}, {.memory_limit = 1000}), InvalidArgument);
}

TEST(RandomProjection, RefusesMoreComponentsThanFitIntoMemory) {
  const auto text = message_of<InvalidArgument>(
      [] { (void)fit_random_projection(dataset::roll(30), {.n_components = 2'000'000'000}); });
  EXPECT_TRUE(contains(text, "lower n_components")) << text;
}

}  // namespace
}  // namespace foldout
