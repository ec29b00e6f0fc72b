// SPDX-License-Identifier: Apache-2.0
#include "linalg/least_squares.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "core/random.h"

namespace foldout {
namespace {

// The normal equations, as printed.
Matrix ridge_oracle(const Matrix& Phi, const Matrix& Y, double lambda) {
  const Eigen::MatrixXd G = Phi.transpose() * Phi + lambda * Matrix::Identity(Phi.cols(), Phi.cols());
  return G.ldlt().solve(Eigen::MatrixXd(Phi.transpose() * Y));
}

// Each sample predicted by a regression on all others.
double leave_one_out_oracle(const Matrix& Phi, const Matrix& Y, double lambda) {
  double sum = 0;
  for (Index i = 0; i < Phi.rows(); ++i) {
    Matrix others = Phi, targets = Y;
    others.row(i).setZero();
    targets.row(i).setZero();
    sum += (Y.row(i) - Phi.row(i) * ridge_oracle(others, targets, lambda)).squaredNorm();
  }
  return std::sqrt(sum) / Y.norm();
}

struct Shape {
  Index n, q;
};

class Ridge : public testing::TestWithParam<Shape> {
 protected:
  const Matrix Phi_ = Rng(1).normal_matrix(GetParam().n, GetParam().q);
  const Matrix Y_ = Rng(2).normal_matrix(GetParam().n, 3);
  [[nodiscard]] double scale() const {
    return Phi_.squaredNorm() / static_cast<double>(std::min(Phi_.rows(), Phi_.cols()));
  }
};

TEST_P(Ridge, SolvesTheNormalEquations) {
  for (const double ridge : {1e-6, 1e-2, 1.0}) {
    const RidgeFit fit = ridge_regression(Phi_, Y_, ridge);
    EXPECT_LT((fit.V - ridge_oracle(Phi_, Y_, ridge * scale())).norm(), 1e-8 * fit.V.norm()) << ridge;
    EXPECT_EQ(fit.rank, std::min(Phi_.rows(), Phi_.cols()));
  }
}

TEST_P(Ridge, ReportsItsLeaveOneOutError) {
  for (const double ridge : {1e-2, 1.0})
    EXPECT_NEAR(ridge_regression(Phi_, Y_, ridge).leave_one_out, leave_one_out_oracle(Phi_, Y_, ridge * scale()), 1e-8);
}

TEST_P(Ridge, ChoosesTheRidgeOfSmallestLeaveOneOutError) {
  const Matrix signal = Phi_ * Rng(3).normal_matrix(GetParam().q, 3) + 2 * Y_;
  const RidgeFit fit = ridge_regression(Phi_, signal, std::nullopt);
  double least = std::numeric_limits<double>::infinity();
  for (int k = -18; k <= 2; ++k)
    least = std::min(least, leave_one_out_oracle(Phi_, signal, std::pow(10.0, k / 2.0) * scale()));
  EXPECT_NEAR(fit.leave_one_out, least, 1e-6);
}

TEST_P(Ridge, WithoutRidgeHasTheSolutionOfLeastNorm) {
  const RidgeFit fit = ridge_regression(Phi_, Y_, 0.0);
  const Eigen::MatrixXd expected = Eigen::MatrixXd(Phi_).completeOrthogonalDecomposition().solve(Eigen::MatrixXd(Y_));
  EXPECT_LT((fit.V - expected).norm(), 1e-9 * expected.norm());
}

INSTANTIATE_TEST_SUITE_P(Shapes, Ridge, testing::Values(Shape{30, 8}, Shape{8, 30}, Shape{12, 12}, Shape{5, 1}),
                         [](const auto& c) { return std::to_string(c.param.n) + "x" + std::to_string(c.param.q); });

TEST(LeastSquares, SurvivesRankDeficiencyAndZeros) {
  Matrix Phi = Rng(1).normal_matrix(20, 6);
  Phi.col(5) = Phi.col(0);
  Phi.col(4).setZero();
  const Matrix Y = Phi * Rng(2).normal_matrix(6, 2);
  for (const std::optional<double> ridge : {std::optional(0.0), std::optional(1e-9), std::optional<double>()}) {
    const RidgeFit fit = ridge_regression(Phi, Y, ridge);
    EXPECT_EQ(fit.rank, 4);
    EXPECT_LT((Phi * fit.V - Y).norm(), 1e-5 * Y.norm());
  }
  const RidgeFit zero = ridge_regression(Matrix::Zero(5, 3), Matrix::Ones(5, 1), std::nullopt);
  EXPECT_TRUE(zero.V.isZero());
  EXPECT_EQ(zero.rank, 0);
}

TEST(LeastSquares, SolvesPositiveDefiniteSystems) {
  const Matrix A = Rng(1).normal_matrix(15, 15), Y = Rng(2).normal_matrix(15, 2);
  const Matrix K = A * A.transpose();
  const SymmetricSolution plain = solve_positive_definite(K, Y, 0.5);
  EXPECT_EQ(plain.rank, 15);
  EXPECT_LT(((K + 0.5 * Matrix::Identity(15, 15)) * plain.V - Y).norm(), 1e-9);
}

TEST(LeastSquares, TruncatesASingularSystem) {
  const Matrix A = Rng(1).normal_matrix(15, 4), K = A * A.transpose();
  const Matrix Y = K * Rng(2).normal_matrix(15, 2);
  for (const SymmetricSolution& solution : {solve_positive_definite(K, Y, 0), solve_truncated(K, Y, 1e-10)}) {
    EXPECT_EQ(solution.rank, 4);
    EXPECT_LT((K * solution.V - Y).norm(), 1e-9 * Y.norm());
  }
}

}  // namespace
}  // namespace foldout
