// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense_pencil.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "core/random.h"

namespace foldout {
namespace {

constexpr Index kSize = 260;

// Positive semidefinite of the given rank.
Matrix random_form(Index rank, std::uint64_t seed) {
  const Matrix F = Rng(seed).normal_matrix(kSize, rank);
  return F * F.transpose() / static_cast<double>(rank);
}

TEST(DensePencil, AgreesWithADenseSolver) {
  const Matrix A = random_form(400, 1), B = random_form(500, 2);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> oracle(A, B);
  const auto found = smallest_of_pencil(A, B, 5, {});
  ASSERT_TRUE(found);
  EXPECT_LT((found->values - oracle.eigenvalues().head(5)).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((found->vectors.transpose() * B * found->vectors - Eigen::MatrixXd::Identity(5, 5)).norm(), 1e-9);
  const ColMatrix overlap = found->vectors.transpose() * B * oracle.eigenvectors().leftCols(5);
  EXPECT_LT((overlap.cwiseAbs() - Eigen::MatrixXd::Identity(5, 5)).norm(), 1e-7);
}

TEST(DensePencil, FindsEveryCopyOfARepeatedEigenvalue) {
  Vector diagonal = Vector::LinSpaced(kSize, 1, 10);
  diagonal.segment(3, 6).setConstant(0.5);
  const auto found = smallest_of_pencil(diagonal.asDiagonal().toDenseMatrix(), Matrix::Identity(kSize, kSize), 6, {});
  ASSERT_TRUE(found);
  EXPECT_LT((found->values.array() - 0.5).abs().maxCoeff(), 1e-12);
}

TEST(DensePencil, TakesASingularConstraint) {
  const Matrix A = random_form(400, 3), B = random_form(100, 4);
  const auto found = smallest_of_pencil(A, B, 4, {});
  ASSERT_TRUE(found);
  for (Index j = 0; j < 4; ++j)
    EXPECT_LT((A * found->vectors.col(j) - found->values[j] * (B * found->vectors.col(j))).norm(),
              1e-9 * A.norm() * found->vectors.col(j).norm());
}

TEST(DensePencil, LeavesToOthersWhatItCannotSolve) {
  const Matrix A = random_form(400, 5), B = random_form(500, 6);
  EXPECT_FALSE(smallest_of_pencil(A, B, 100, {})) << "many pairs";
  EXPECT_FALSE(smallest_of_pencil(random_form(100, 7), B, 3, {})) << "a singular matrix";
  EXPECT_FALSE(smallest_of_pencil(-A, B, 3, {})) << "an indefinite matrix";
  EXPECT_FALSE(smallest_of_pencil(A.topLeftCorner(50, 50), B.topLeftCorner(50, 50), 3, {})) << "a small problem";
}

}  // namespace
}  // namespace foldout
