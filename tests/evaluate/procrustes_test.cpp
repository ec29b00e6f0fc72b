// SPDX-License-Identifier: Apache-2.0
#include "foldout/evaluate/metrics.h"

#include <gtest/gtest.h>

#include <numbers>

#include "core/random.h"
#include "evaluate/example.h"
#include "foldout/core/error.h"
#include "linalg/svd.h"

namespace foldout {
namespace {

// A random orthogonal matrix, reflections included.
Matrix random_rotation(Index d, std::uint64_t seed) {
  const Svd svd = thin_svd(Rng(seed).normal_matrix(d, d));
  return svd.U * svd.V.transpose();
}

Matrix moved(const Matrix& A, const Matrix& rotation, double scale) {
  return (scale * A * rotation).rowwise() + Eigen::RowVectorXd::LinSpaced(A.cols(), 3, 5);
}

TEST(Procrustes, EqualsScipysDisparity) {
  const Example example;
  const Matrix Z = example.X.leftCols(2);
  EXPECT_NEAR(procrustes(example.Y, Z), 0.09198974588987138, 1e-14);
  EXPECT_NEAR(procrustes(Z, example.Y), 0.09198974588987138, 1e-14);
  EXPECT_NEAR(procrustes(example.X, example.Y), 0.33691819391878447, 1e-14);  // Y with two columns of zeros
  EXPECT_NEAR(procrustes(example.Y, example.X), 0.33691819391878447, 1e-14);
}

TEST(Procrustes, IsZeroForASimilarity) {
  const Matrix A = Rng(1).normal_matrix(40, 5);
  EXPECT_LT(procrustes(A, moved(A, random_rotation(5, 2), 0.01)), 1e-25);  // the shift is 400 times as large
  EXPECT_LT(procrustes(A, moved(A, -random_rotation(5, 2), 100)), 1e-28);
}

TEST(Procrustes, BeatsEveryRotationOfAFineGrid) {
  const Matrix A = Rng(3).normal_matrix(30, 2), B = A + 0.8 * Rng(4).normal_matrix(30, 2);
  const Matrix a = A.rowwise() - A.colwise().mean(), b = B.rowwise() - B.colwise().mean();
  double best = 1;
  for (const double mirror : {-1.0, 1.0})
    for (int step = 0; step < 7200; ++step) {
      const double t = step * 2 * std::numbers::pi / 7200;
      Matrix R(2, 2);
      R << std::cos(t), std::sin(t), -mirror * std::sin(t), mirror * std::cos(t);
      const Matrix turned = a * R;
      const double scale = std::max(0.0, turned.cwiseProduct(b).sum() / a.squaredNorm());
      best = std::min(best, (b - scale * turned).squaredNorm() / b.squaredNorm());
    }
  EXPECT_LE(procrustes(A, B), best);
  EXPECT_NEAR(procrustes(A, B), best, 1e-6);
}

TEST(Procrustes, OnePointExplainsNothing) {
  const Matrix B = Rng(1).normal_matrix(10, 2);
  EXPECT_DOUBLE_EQ(procrustes(Matrix::Constant(10, 2, 0.1), B), 1);
  EXPECT_THROW((void)procrustes(B, Matrix::Constant(10, 2, 0.1)), InvalidArgument);
}

TEST(Procrustes, DifferentNumbersOfRowsNameBothShapes) {
  try {
    (void)procrustes(Matrix::Zero(3, 2), Matrix::Zero(4, 5));
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("3 × 2 and 4 × 5"), std::string::npos) << error.what();
  }
}

TEST(Alignment, EqualsScipysOrthogonalProcrustes) {
  const Example example;
  EXPECT_NEAR(alignment(example.X.leftCols(2), example.Y), 0.2863239226073356, 1e-14);
}

TEST(Alignment, RotationIsFreeButScaleAndShiftAreNot) {
  const Matrix A = Rng(1).normal_matrix(40, 3), R = random_rotation(3, 5);
  EXPECT_LT(alignment(A, A * R), 1e-14);
  EXPECT_NEAR(alignment(A, 2 * A * R), 0.5, 1e-14);
  EXPECT_GT(alignment(A, moved(A, R, 1)), 0.1);
  EXPECT_THROW((void)alignment(A, Matrix::Zero(40, 3)), InvalidArgument);
}

TEST(Placement, IsZeroWhereNewSamplesFollowTheTrainingSamples) {
  const Matrix all = Rng(1).normal_matrix(50, 3), batch = moved(all, random_rotation(3, 2), 7);
  EXPECT_LT(placement(all.topRows(30), all.bottomRows(20), batch.topRows(30), batch.bottomRows(20)), 1e-14);
}

TEST(Placement, NewRowsAreNotFitted) {
  const Matrix all = Rng(1).normal_matrix(50, 2), fresh = all.bottomRows(20);
  // New samples rotated by a quarter turn: a fit to them would give 0.
  Matrix turned(20, 2);
  turned << -fresh.col(1), fresh.col(0);
  const Eigen::RowVectorXd mean = all.topRows(30).colwise().mean();
  const double expected = (turned - fresh).norm() / (fresh.rowwise() - mean).norm();
  EXPECT_NEAR(placement(all.topRows(30), turned, all.topRows(30), fresh), expected, 1e-12);
}

TEST(Placement, WidthsOfTrainingAndNewRowsMustAgree) {
  const Matrix A = Rng(1).normal_matrix(10, 2), B = Rng(1).normal_matrix(10, 3);
  EXPECT_THROW((void)placement(A, B, A, A), InvalidArgument);
  EXPECT_THROW((void)placement(A, A, A, A.topRows(5)), InvalidArgument);
  EXPECT_THROW((void)placement(A, A, A, A.colwise().mean().replicate(10, 1)), InvalidArgument);
}

TEST(Similarity, PadsTheNarrowerSide) {
  const Matrix A = Rng(1).normal_matrix(20, 2);
  Matrix B = Matrix::Zero(20, 3);
  B.leftCols(2) = A;
  const Matrix target = moved(B, random_rotation(3, 3), 2);
  EXPECT_TRUE(fit_similarity(A, target).apply(A).isApprox(target, 1e-13));
}

TEST(Rmse, IsTheRootOfTheMeanSquaredDistanceOfTheRows) {
  const Example example;
  EXPECT_NEAR(rmse(example.X.leftCols(2), example.Y), 0.4940778210238088, 1e-14);
  EXPECT_THROW((void)rmse(example.X, example.Y), InvalidArgument);
}

TEST(LocalProcrustes, EqualsTheTextbookForm) {
  const Example example;
  EXPECT_NEAR(local_procrustes(example.X, example.Y, {.n_neighbors = 6}), 0.48743744537094635, 1e-13);
}

TEST(LocalProcrustes, IgnoresSimilaritiesOfLocallyDifferentScale) {
  const Matrix A = Rng(1).normal_matrix(60, 3);
  EXPECT_LT(local_procrustes(A, moved(A, random_rotation(3, 2), 5)), 1e-14);
  Matrix two_scales(120, 3);  // distant blobs, one of them enlarged in the coordinates
  two_scales << A, (5 * A).array() + 1000;
  Matrix both(120, 3);
  both << A, A.array() + 1000;
  EXPECT_LT(local_procrustes(both, two_scales), 1e-9);
  EXPECT_GT(procrustes(both.bottomRows(61), two_scales.bottomRows(61)), 1e-6);
}

TEST(LocalProcrustes, SinglePointsCountAsOneOrZero) {
  const Matrix A = Rng(1).normal_matrix(20, 2), point = Matrix::Constant(20, 2, 0.3);
  EXPECT_DOUBLE_EQ(local_procrustes(A, point), 1);
  EXPECT_DOUBLE_EQ(local_procrustes(point, A), 1);
  EXPECT_DOUBLE_EQ(local_procrustes(point, point), 0);
}

TEST(LocalProcrustes, SameBitsForAnyNumberOfThreadsAndNamedErrors) {
  const Example example;
  EXPECT_EQ(local_procrustes(example.X, example.Y, {}, {.n_threads = 1}),
            local_procrustes(example.X, example.Y, {}, {.n_threads = 2}));
  EXPECT_THROW((void)local_procrustes(example.X, example.Y, {.n_neighbors = 60}), InvalidArgument);
  EXPECT_THROW((void)local_procrustes(example.X, example.Y, {.n_neighbors = 0}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
