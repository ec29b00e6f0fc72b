// SPDX-License-Identifier: Apache-2.0
#include "linalg/kernel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "support/datasets.h"

namespace foldout {
namespace {

TEST(Kernel, IsItsFormula) {
  const Matrix A = Rng(1).normal_matrix(60, 5), B = Rng(2).normal_matrix(20, 5);
  const Matrix gaussian = kernel_rows({.kind = KernelKind::kGaussian, .width = 2.5}, A, B);
  const Matrix polynomial = kernel_rows({.kind = KernelKind::kPolynomial, .degree = 3}, A, B);
  const Matrix linear = kernel_rows({.kind = KernelKind::kLinear}, A, B);
  for (Index i = 0; i < 60; ++i)
    for (Index j = 0; j < 20; ++j) {
      const double product = A.row(i).dot(B.row(j));
      EXPECT_NEAR(gaussian(i, j), std::exp(-(A.row(i) - B.row(j)).squaredNorm() / 2.5), 1e-13);
      EXPECT_NEAR(polynomial(i, j), std::pow(product + 1, 3), 1e-11);
      EXPECT_NEAR(linear(i, j), product, 1e-13);
    }
}

TEST(Kernel, RowsDoNotDependOnTheBatch) {
  const Matrix A = Rng(3).normal_matrix(120, 17), B = Rng(4).normal_matrix(33, 17);
  for (const KernelKind kind : {KernelKind::kGaussian, KernelKind::kPolynomial, KernelKind::kLinear}) {
    const Kernel kernel{kind, 20, 2};
    const Matrix all = kernel_rows(kernel, A, B);
    for (const Index count : {1, 2, 47, 48, 49, 65})
      EXPECT_TRUE(dataset::same_bits(kernel_rows(kernel, A.topRows(count), B), all.topRows(count))) << count;
    EXPECT_TRUE(dataset::same_bits(kernel_rows(kernel, A.middleRows(77, 1), B), all.middleRows(77, 1)));
  }
}

TEST(Kernel, MatrixIsSymmetricWithTheSameBitsOnTwoThreads) {
  const Matrix X = Rng(5).normal_matrix(500, 4);
  for (const KernelKind kind : {KernelKind::kGaussian, KernelKind::kPolynomial, KernelKind::kLinear}) {
    const Kernel kernel{kind, 3, 2};
    const Matrix K = kernel_matrix(kernel, X, {});
    EXPECT_TRUE(dataset::same_bits(K, K.transpose()));
    EXPECT_TRUE(dataset::same_bits(K, kernel_matrix(kernel, X, {.n_threads = 2})));
    EXPECT_LT((K - kernel_rows(kernel, X, X)).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(Kernel, OfASampleWithItselfIsOne) {  // also far from the origin, where products would cancel
  const Matrix X = Rng(6).normal_matrix(30, 8).array() + 1e6;
  const Matrix K = kernel_rows({.kind = KernelKind::kGaussian, .width = 1}, X, X);
  EXPECT_EQ(K.diagonal(), Vector(Vector::Ones(30)));
  EXPECT_LE(K.maxCoeff(), 1);
}

TEST(KernelCentering, LeavesSumsOfZero) {
  const Matrix X = Rng(7).normal_matrix(90, 4);
  const Matrix K = kernel_matrix({.width = 4}, X, {});
  const KernelCentering centering(K);
  Matrix centered = K;
  centering.apply(centered);
  EXPECT_LT(centered.rowwise().sum().cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(centered.colwise().sum().cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(centered(3, 8), K(3, 8) - K.row(3).mean() - K.col(8).mean() + K.mean(), 1e-14);
}

TEST(KernelCentering, TreatsANewSampleLikeATrainingSample) {
  const Matrix X = Rng(8).normal_matrix(50, 4);
  const Kernel kernel{.width = 4};
  Matrix K = kernel_matrix(kernel, X, {});
  const KernelCentering centering(K);
  Matrix rows = kernel_rows(kernel, X.middleRows(10, 5), X);
  centering.apply(rows);
  centering.apply(K);
  EXPECT_LT((rows - K.middleRows(10, 5)).cwiseAbs().maxCoeff(), 1e-14);
}

}  // namespace
}  // namespace foldout
