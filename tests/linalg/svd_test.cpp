// SPDX-License-Identifier: Apache-2.0
#include "linalg/svd.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {
namespace {

void expect_decomposes(const Matrix& A, const Svd& svd) {
  const Index k = std::min(A.rows(), A.cols());
  ASSERT_EQ(svd.s.size(), k);
  const double size = 1e-13 * (1 + A.norm());
  EXPECT_LT((svd.U * svd.s.asDiagonal() * svd.V.transpose() - A).norm(), 10 * size);
  EXPECT_LT((svd.U.transpose() * svd.U - ColMatrix::Identity(k, k)).norm(), 1e-12);
  EXPECT_LT((svd.V.transpose() * svd.V - ColMatrix::Identity(k, k)).norm(), 1e-12);
  EXPECT_LT((svd.s - oracle::singular_values(A)).cwiseAbs().maxCoeff(), 10 * size);
  for (Index j = 0; j < k; ++j) {
    EXPECT_TRUE(j == 0 || svd.s[j] <= svd.s[j - 1]);
    Index largest = 0;
    svd.V.col(j).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(svd.V(largest, j), 0);
  }
}

TEST(ThinSvd, DecomposesTallWideAndSquareMatrices) {
  for (const auto& [n, d] : {std::pair<Index, Index>{60, 7}, {7, 60}, {20, 20}, {1, 5}, {5, 1}, {1, 1}}) {
    const Matrix A = Rng(1).normal_matrix(n, d);
    expect_decomposes(A, thin_svd(A));
    EXPECT_EQ(thin_svd(A).rank(), std::min(n, d));
  }
}

// Equal rows of 0.1 do not vanish when their mean is subtracted; a spread of 1e-10 is still detected.
TEST(ThinSvd, DistinguishesRoundingFromADimension) {
  for (const auto& [n, d] : {std::pair<Index, Index>{40, 20}, {1000, 3}, {7, 300}}) {
    Matrix A = Matrix::Constant(n, d, 0.1);
    const double error = centering_error(A);
    const auto centered = [&] { return Matrix(A.rowwise() - A.colwise().mean()); };
    EXPECT_EQ(thin_svd(centered()).rank(1e-10, error), 0);
    A(2, 1) += 1e-10;
    EXPECT_EQ(thin_svd(centered()).rank(1e-2, error), 1);
  }
  EXPECT_EQ(centering_error(Matrix(0, 3)), 0);
  EXPECT_EQ(thin_svd(Matrix::Zero(4, 3)).rank(), 0);
  Svd svd;
  svd.s = Eigen::Vector3d(10, 2, 1);
  EXPECT_EQ(svd.rank(0.1), 2);
  EXPECT_EQ(svd.rank(0.05), 3);
  EXPECT_EQ(svd.rank(0.05, 2), 1);
}

TEST(ThinSvd, DeterminesTheRank) {
  const Matrix A = Rng(2).normal_matrix(40, 3) * Rng(3).normal_matrix(3, 12);
  const Svd svd = thin_svd(A);
  expect_decomposes(A, svd);
  EXPECT_EQ(svd.rank(), 3);
  EXPECT_EQ(thin_svd(Matrix::Zero(5, 4)).rank(), 0);
  EXPECT_EQ(thin_svd(Matrix(0, 4)).rank(), 0);
}

TEST(PrincipalAxes, AreEigenvectorsOfTheCovariance) {
  const Matrix X = dataset::lifted_roll(150, 6).array() + 3;
  const PrincipalAxes axes = principal_axes(X);
  const Matrix centered = X.rowwise() - X.colwise().mean();
  const ColMatrix covariance = centered.transpose() * centered / 150;
  const oracle::Pairs pairs = oracle::symmetric_eigenpairs(covariance);
  ASSERT_EQ(axes.axes.cols(), 6);
  EXPECT_LT((axes.mean - Vector(X.colwise().mean())).norm(), 1e-12);
  EXPECT_LT((axes.variances - pairs.values.reverse()).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT(oracle::difference_up_to_sign(axes.axes, pairs.vectors.rowwise().reverse()), 1e-8);
  EXPECT_NEAR(axes.total_variance, covariance.trace(), 1e-11);
}

TEST(PrincipalAxes, AreAsManyAsTheRank) {
  Matrix X = Matrix::Constant(30, 5, 7.0);
  EXPECT_EQ(principal_axes(X).axes.cols(), 0);
  X.col(1) = Rng(4).normal_matrix(30, 1);
  X.col(3) = -2 * X.col(1);
  EXPECT_EQ(principal_axes(X).axes.cols(), 1);
  EXPECT_EQ(principal_axes(Rng(5).normal_matrix(4, 9)).axes.cols(), 3);
}

}  // namespace
}  // namespace foldout
