// SPDX-License-Identifier: Apache-2.0
#include "linalg/products.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "core/rows.h"
#include "linalg/distance.h"
#include "support/datasets.h"

namespace foldout {
namespace {

// Σ_k a_ik b_kj, one after the other.
Matrix slow_product(const Matrix& A, const Matrix& B) {
  Matrix C = Matrix::Zero(A.rows(), B.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index k = 0; k < A.cols(); ++k)
      for (Index j = 0; j < B.cols(); ++j) C(i, j) += A(i, k) * B(k, j);
  return C;
}

double difference(const Matrix& A, const Matrix& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols()) return 1e300;
  return A.size() == 0 ? 0 : (A - B).cwiseAbs().maxCoeff();
}

TEST(Products, EqualTheDefinition) {
  Rng rng(1);
  for (const auto& [n, k, m] : {std::array<Index, 3>{1, 1, 1}, {5, 3, 7}, {50, 64, 33}, {100, 1, 2}, {3, 200, 3}}) {
    const Matrix A = rng.normal_matrix(n, k), B = rng.normal_matrix(k, m);
    const Matrix At = A.transpose(), Bt = B.transpose(), expected = slow_product(A, B);
    const double tolerance = 1e-14 * static_cast<double>(k + 10);
    EXPECT_LT(difference(multiply(A, B), expected), tolerance);
    EXPECT_LT(difference(multiply_transposed(A, Bt), expected), tolerance);
    EXPECT_LT(difference(transposed_multiply(At, B), expected), tolerance);
    EXPECT_LT(difference(multiply_rowwise(A, B), expected), tolerance);
    FloatRows floats;
    multiply_transposed(FloatRows(A.cast<float>()), FloatRows(Bt.cast<float>()), floats);
    EXPECT_LT(difference(floats.cast<double>(), expected), 1e-5 * static_cast<double>(k + 10));
  }
}

TEST(Products, MayBeEmpty) {
  EXPECT_EQ(multiply(Matrix(0, 3), Matrix(3, 2)).rows(), 0);
  EXPECT_EQ(multiply_rowwise(Matrix(0, 3), Matrix(3, 2)).cols(), 2);
  EXPECT_EQ(multiply(Matrix(4, 0), Matrix(0, 5)), Matrix(Matrix::Zero(4, 5)));
  EXPECT_EQ(multiply_rowwise(Matrix(4, 0), Matrix(0, 5)), Matrix(Matrix::Zero(4, 5)));
}

TEST(Products, ReadBlocksOfLargerMatrices) {
  const Matrix wide = Rng(2).normal_matrix(60, 20), B = Rng(3).normal_matrix(7, 4);
  const Matrix copy = wide.block(5, 6, 50, 7);
  EXPECT_TRUE(dataset::same_bits(multiply(wide.block(5, 6, 50, 7), B), multiply(copy, B)));
  EXPECT_TRUE(dataset::same_bits(multiply_rowwise(wide.block(5, 6, 50, 7), B), multiply_rowwise(copy, B)));
}

TEST(RowwiseProduct, HasTheSameBitsInEveryBatch) {
  Rng rng(4);
  for (const Index depth : {1, 3, 16, 17, 200, 1024})
    for (const Index width : {1, 2, 3, 8, 17}) {
      const Matrix A = rng.normal_matrix(130, depth), B = rng.normal_matrix(depth, width);
      const Matrix all = multiply_rowwise(A, B);
      for (const Index count : {1, 2, 47, 48, 49, 63, 64, 65})
        ASSERT_TRUE(dataset::same_bits(multiply_rowwise(A.topRows(count), B), all.topRows(count)))
            << depth << "×" << width << ", batch of " << count;
      for (const Index i : {1, 13, 47, 48, 95, 129})
        ASSERT_TRUE(dataset::same_bits(multiply_rowwise(A.middleRows(i, 1), B), all.middleRows(i, 1)))
            << depth << "×" << width << ", row " << i;
      const auto order = dataset::random_order(130, 5);
      ASSERT_TRUE(dataset::same_bits(multiply_rowwise(dataset::rows_of(A, order), B), dataset::rows_of(all, order)))
          << depth << "×" << width << ", shuffled";
    }
}

TEST(SquaredDistances, AreGoodToTwelveDigits) {
  Rng rng(6);
  for (const Index d : {1, 3, 50}) {
    const Matrix A = rng.normal_matrix(300, d), B = rng.normal_matrix(40, d).array() + 0.5;
    const Matrix D = squared_distances(A, B);
    for (Index i = 0; i < A.rows(); ++i)
      for (Index j = 0; j < B.rows(); ++j) {
        const double exact = (A.row(i) - B.row(j)).squaredNorm();
        ASSERT_NEAR(D(i, j), exact, 1e-11 * exact);
      }
  }
}

TEST(SquaredDistances, KeepTheirDigitsBetweenNearDuplicates) {
  Rng rng(7);
  const Matrix A = rng.normal_matrix(50, 20).array() + 1000;
  for (const double step : {1e-3, 1e-6, 1e-9}) {
    const Matrix B = A + step * rng.normal_matrix(50, 20), D = squared_distances(A, B);
    for (Index i = 0; i < 50; ++i) {
      const double exact = (A.row(i) - B.row(i)).squaredNorm();
      EXPECT_NEAR(D(i, i), exact, 1e-11 * exact) << step;
      EXPECT_GE(D.row(i).minCoeff(), 0);
    }
  }
  EXPECT_EQ(squared_distances(A, A).diagonal().cwiseAbs().maxCoeff(), 0);
}

TEST(SquaredDistances, AreTheSameOnTwoThreads) {
  const Matrix A = Rng(8).normal_matrix(600, 5);
  EXPECT_TRUE(dataset::same_bits(squared_distances(A, A), squared_distances(A, A, {.n_threads = 2})));
}

TEST(LaneSum, AddsEveryTermOnce) {
  for (Index n = 0; n < 40; ++n)
    EXPECT_EQ(lane_sum(n, [](Index i) { return static_cast<double>(i + 1); }), static_cast<double>(n * (n + 1) / 2));
  const double a[] = {1, 2, 3}, b[] = {4, 6, 3};
  EXPECT_EQ(squared_distance(a, b, 3), 25);
  EXPECT_EQ(dot(a, b, 3), 25);
}

TEST(Length, IsCorrectBeyondTheRangeOfSquaresAndKeepsNaN) {
  const double large[] = {3e200, 4e200}, small[] = {3e-200, 4e-200}, zero[] = {0, 0};
  EXPECT_NEAR(length(large, 2) / 5e200, 1, 1e-15);
  EXPECT_NEAR(length(small, 2) / 5e-200, 1, 1e-15);
  EXPECT_EQ(length(zero, 2), 0);
  const double infinite[] = {1, -HUGE_VAL}, unknown[] = {std::nan(""), std::nan("")}, mixed[] = {1, std::nan("")};
  EXPECT_EQ(length(infinite, 2), HUGE_VAL);
  EXPECT_TRUE(std::isnan(length(unknown, 2)));  // not 0, which would be a perfect fit
  EXPECT_TRUE(std::isnan(length(mixed, 2)));
}

}  // namespace
}  // namespace foldout
