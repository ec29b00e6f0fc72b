// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/eigenpairs.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

ColMatrix random_symmetric(Index n, std::uint64_t seed) {
  const ColMatrix A = Rng(seed).normal_matrix(n, n);
  return (A + A.transpose()) / 2;
}

// Eigenvalues 3 (twice), 1 (five times) and 0.
ColMatrix repeated_eigenvalues(Index n) {
  ColMatrix Q = all_eigenpairs(random_symmetric(n, 5)).vectors;
  Vector values = Vector::Zero(n);
  values.head(2).setConstant(3);
  values.segment(2, 5).setConstant(1);
  return Q * values.asDiagonal() * Q.transpose();
}

TEST(DenseEigenpairs, RefuseEntriesBeyondTheRangeOfNumbers) {
  ColMatrix A = random_symmetric(6, 1);
  A(3, 2) = A(2, 3) = std::numeric_limits<double>::infinity();
  for (const auto& solve : {std::function<void()>([&] { (void)all_eigenpairs(A); }),
                            std::function<void()>([&] { (void)some_eigenpairs(A, 0, 1); })}) {
    const std::string text = message_of<NumericalError>(solve);
    EXPECT_TRUE(contains(text, "beyond the range of double precision: divide the samples by a constant")) << text;
  }
}

TEST(DenseEigenpairs, HaveTheResidualOfAMatrixOfAnyScale) {
  const ColMatrix A = random_symmetric(30, 2);
  for (const double scale : {1e-250, 1.0, 1e250}) {
    EXPECT_LT(all_eigenpairs(scale * A).residual, 1e-13) << scale;
    EXPECT_LT(some_eigenpairs(scale * A, 3, 7).residual, 1e-13) << scale;
  }
  // Relative to the root mean square eigenvalue.
  const Eigenpairs pairs = all_eigenpairs(A);
  const double norm = std::sqrt(pairs.values.squaredNorm() / 30);
  const double expected =
      (A * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).colwise().norm().maxCoeff() / norm;
  EXPECT_NEAR(pairs.residual, expected, 0.5 * expected);
}

void expect_pairs(const ColMatrix& A, const Eigenpairs& pairs) {
  EXPECT_LT((A * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(), 1e-11 * (1 + A.norm()));
  const Index k = pairs.values.size();
  EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - ColMatrix::Identity(k, k)).norm(), 1e-11);
  EXPECT_LT(pairs.residual, 1e-12);
  for (Index j = 0; j < k; ++j) {
    Index largest = 0;
    pairs.vectors.col(j).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(pairs.vectors(largest, j), 0);
  }
}

TEST(AllEigenpairs, AgreeWithEigen) {
  for (const Index n : {1, 2, 3, 40, 120}) {
    const ColMatrix A = random_symmetric(n, 1);
    const Eigenpairs pairs = all_eigenpairs(A);
    expect_pairs(A, pairs);
    EXPECT_LT((pairs.values - oracle::symmetric_eigenpairs(A).values).cwiseAbs().maxCoeff(), 1e-12 * A.norm());
    EXPECT_EQ(pairs.solver, "dense");
  }
  EXPECT_EQ(all_eigenpairs(ColMatrix(0, 0)).values.size(), 0);
}

TEST(SomeEigenpairs, AreThoseOfTheRange) {
  const ColMatrix A = random_symmetric(80, 2);
  const Vector all = oracle::symmetric_eigenpairs(A).values;
  for (const auto& [first, last] : {std::pair<Index, Index>{0, 0}, {0, 4}, {10, 20}, {79, 79}, {0, 79}}) {
    const Eigenpairs pairs = some_eigenpairs(A, first, last);
    expect_pairs(A, pairs);
    EXPECT_LT((pairs.values - all.segment(first, last - first + 1)).cwiseAbs().maxCoeff(), 1e-12 * A.norm());
  }
  EXPECT_EQ(some_eigenpairs(A, 3, 2).values.size(), 0);
}

// Here dsyevr finds no pair at all.
TEST(SomeEigenpairs, AreFoundAmongMultiplesOfTheIdentity) {
  for (const Index n : {150, 400}) {
    ColMatrix A = ColMatrix::Identity(n, n) / 2;
    A.array() -= 0.5 / static_cast<double>(n);  // ½ of multiplicity n − 1, and 0
    const Eigenpairs pairs = some_eigenpairs(A, n - 2, n - 1);
    EXPECT_LT((pairs.values.array() - 0.5).abs().maxCoeff(), 1e-12);
    EXPECT_LT(pairs.residual, 1e-12);
    EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - ColMatrix::Identity(2, 2)).norm(), 1e-12);
  }
}

TEST(LargestEigenpairs, DescendAndAgreeForEverySolver) {
  for (const Index n : {60, 450})
    for (const auto solver : {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kLanczos}) {
      const ColMatrix A = random_symmetric(n, 3);
      const Eigenpairs pairs = largest_eigenpairs(Matrix(A), {.n_pairs = 5, .solver = solver});
      expect_pairs(A, pairs);
      EXPECT_LT((pairs.values - all_eigenpairs(A).values.tail(5).reverse()).cwiseAbs().maxCoeff(), 1e-10 * A.norm());
      EXPECT_EQ(pairs.solver,
                solver == EigenSolver::kLanczos || (n == 450 && solver == EigenSolver::kAuto) ? "lanczos" : "dense");
    }
}

TEST(LargestEigenpairs, SpanTheSpaceOfRepeatedEigenvalues) {
  const ColMatrix A = repeated_eigenvalues(90);
  const oracle::Pairs expected = oracle::symmetric_eigenpairs(A);
  for (const auto solver : {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kLanczos}) {
    const Eigenpairs pairs = largest_eigenpairs(Matrix(A), {.n_pairs = 7, .solver = solver});
    expect_pairs(A, pairs);
    EXPECT_LT(oracle::subspace_gap(pairs.vectors.leftCols(2), expected.vectors.rightCols(2)), 1e-9);
    EXPECT_LT(oracle::subspace_gap(pairs.vectors, expected.vectors.rightCols(7)), 1e-9);
  }
}

// Beyond the rank the eigenvalues are rounding errors, and no copy is missing.
TEST(LargestEigenpairs, OfALowRankNeedNoSecondSearch) {
  const Matrix X = Rng(2).normal_matrix(500, 3);
  const Matrix A = X * X.transpose();
  const Vector expected = oracle::symmetric_eigenpairs(A).values.tail(3).reverse();
  const Eigenpairs pairs = largest_eigenpairs(A, {.n_pairs = 6, .solver = EigenSolver::kLanczos}, {});
  EXPECT_LT((pairs.values.head(3) - expected).norm(), 1e-9 * expected[0]);
  EXPECT_LT(pairs.values.tail(3).norm(), 1e-9 * expected[0]);
  EXPECT_LE(pairs.iterations, 120);
}

TEST(LargestEigenpairs, HandleTrivialMatrices) {
  const Eigenpairs zero = largest_eigenpairs(Matrix::Zero(20, 20), {.n_pairs = 3});
  EXPECT_EQ(zero.values, Vector(Vector::Zero(3)));
  EXPECT_EQ(zero.residual, 0);
  expect_pairs(ColMatrix::Identity(20, 20), largest_eigenpairs(Matrix::Identity(20, 20), {.n_pairs = 20}));
  for (const Index n : {20, 500}) {  // beyond the size of dense solvers
    const Eigenpairs one = largest_eigenpairs(Matrix::Ones(n, n), {.n_pairs = 2});
    EXPECT_NEAR(one.values[0], static_cast<double>(n), 1e-10);
    EXPECT_NEAR(one.values[1], 0, 1e-10);
  }
}

TEST(LargestEigenpairs, RefuseMoreThanThereAre) {
  EXPECT_EQ(message_of<InvalidArgument>([] { (void)largest_eigenpairs(Matrix::Identity(4, 4), {.n_pairs = 5}); }),
            "5 eigenpairs of a 4×4 matrix do not exist");
  EXPECT_THROW((void)largest_eigenpairs(Matrix::Identity(4, 4), {.n_pairs = 4, .solver = EigenSolver::kLanczos}),
               InvalidArgument);
}

TEST(LargestEigenpairs, AreTheSameOnTwoThreads) {
  const Matrix A = random_symmetric(1100, 4);
  const EigenOptions options{.n_pairs = 3, .solver = EigenSolver::kLanczos};
  const Eigenpairs one = largest_eigenpairs(A, options), two = largest_eigenpairs(A, options, {.n_threads = 2});
  EXPECT_EQ(one.values, two.values);
  EXPECT_EQ(one.vectors, two.vectors);
}

TEST(LargestEigenpairs, AreOrthogonalToDeflatedVectors) {
  const ColMatrix A = random_symmetric(70, 6);
  const Eigenpairs all = all_eigenpairs(A);
  const ColMatrix deflate = all.vectors.rightCols(2);
  const SymmetricProduct product = [&](const double* x, double* y) {
    Eigen::Map<Vector>(y, 70) = A * Eigen::Map<const Vector>(x, 70);
  };
  const Eigenpairs pairs = largest_eigenpairs(product, 70, A.norm(), deflate, {.n_pairs = 3});
  EXPECT_LT((pairs.values - all.values.segment(65, 3).reverse()).cwiseAbs().maxCoeff(), 1e-9 * A.norm());
  EXPECT_LT((deflate.transpose() * pairs.vectors).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(FixSigns, MakesTheLargestEntryPositive) {
  ColMatrix V(3, 4);
  V << 1, -1, 2, 0,  //
      -3, 3, -2, 0,  //
      2, -2, 1, 0;
  fix_signs(V);
  EXPECT_EQ(V(1, 0), 3);
  EXPECT_EQ(V(1, 1), 3);
  EXPECT_EQ(V(0, 2), 2);  // the first of equals
  EXPECT_EQ(V.col(3), Vector(Vector::Zero(3)));
  ColMatrix nearly(2, 1);  // equal up to rounding
  nearly << -0.5, 0.5 * (1 + 1e-14);
  fix_signs(nearly);
  EXPECT_GT(nearly(0, 0), 0);
}

TEST(SmallEigen, AgreesWithLapack) {
  for (const Index n : {1, 2, 5, 20}) {
    const ColMatrix A = random_symmetric(n, 7);
    ColMatrix V = A;
    Vector values;
    small_eigen(V, values);
    EXPECT_LT((values - all_eigenpairs(A).values).cwiseAbs().maxCoeff(), 1e-12 * (1 + A.norm()));
    EXPECT_LT((A * V - V * values.asDiagonal()).norm(), 1e-12 * (1 + A.norm()));
  }
}

}  // namespace
}  // namespace foldout
