// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/eigenpairs.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

constexpr EigenSolver kSolvers[] = {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kShiftInvert,
                                    EigenSolver::kLanczos};

SparseMatrix to_sparse(const ColMatrix& A) { return Matrix(A).sparseView(); }

// The Laplacian of a path of n nodes: λ_k = 2 − 2 cos(πk/n).
SparseMatrix path(Index n) {
  ColMatrix L = ColMatrix::Zero(n, n);
  for (Index i = 0; i + 1 < n; ++i) {
    L(i, i) += 1;
    L(i + 1, i + 1) += 1;
    L(i, i + 1) = L(i + 1, i) = -1;
  }
  return to_sparse(L);
}

// Of a cycle: every eigenvalue except 0 and 4 is double.
SparseMatrix cycle(Index n) {
  ColMatrix L = path(n);
  L(0, 0) = L(n - 1, n - 1) = 2;
  L(0, n - 1) = L(n - 1, 0) = -1;
  return to_sparse(L);
}

// A random sparse positive semidefinite matrix with a kernel.
SparseMatrix random_semidefinite(Index n) {
  Rng rng(3);
  ColMatrix L = ColMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (int edge = 0; edge < 4; ++edge) {
      const auto j = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
      const double w = rng.uniform(0.1, 1);
      if (i == j) continue;
      L(i, i) += w;
      L(j, j) += w;
      L(i, j) -= w;
      L(j, i) -= w;
    }
  return to_sparse(L);
}

ColMatrix constant(Index n) { return Vector::Constant(n, 1 / std::sqrt(static_cast<double>(n))); }

void expect_pairs(const SparseMatrix& A, const Eigenpairs& pairs, const ColMatrix& deflate) {
  const Index k = pairs.values.size();
  EXPECT_LE(pairs.residual, 1e-9);
  EXPECT_LT((A * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(), 1e-7);
  EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - ColMatrix::Identity(k, k)).cwiseAbs().maxCoeff(), 1e-8);
  for (Index j = 1; j < k; ++j) EXPECT_LE(pairs.values[j - 1], pairs.values[j]);
  if (deflate.cols() == 0) return;
  EXPECT_LT((deflate.transpose() * pairs.vectors).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(SmallestEigenpairs, OfAPathAreKnown) {
  for (const Index n : {8, 60, 300})
    for (const EigenSolver solver : kSolvers) {
      const Index k = 3;
      const Eigenpairs pairs = smallest_eigenpairs(path(n), constant(n), {.n_pairs = k, .solver = solver});
      expect_pairs(path(n), pairs, constant(n));
      for (Index j = 0; j < k; ++j)
        EXPECT_NEAR(pairs.values[j],
                    2 - 2 * std::cos(std::numbers::pi * static_cast<double>(j + 1) / static_cast<double>(n)), 1e-12)
            << n << " " << name_of(solver);
      if (solver != EigenSolver::kAuto) {
        EXPECT_EQ(pairs.solver, name_of(solver));
      }
    }
}

TEST(SmallestEigenpairs, AgreeWithTheDenseSolution) {
  for (const Index n : {100, 400}) {
    const SparseMatrix A = random_semidefinite(n);
    const Vector expected = oracle::symmetric_eigenpairs(ColMatrix(A)).values;
    for (const EigenSolver solver : kSolvers) {
      const Eigenpairs pairs = smallest_eigenpairs(A, constant(n), {.n_pairs = 6, .solver = solver});
      expect_pairs(A, pairs, constant(n));
      EXPECT_LT((pairs.values - expected.segment(1, 6)).cwiseAbs().maxCoeff(), 1e-9) << name_of(solver);
    }
  }
}

TEST(SmallestEigenpairs, SpanTheSpaceOfRepeatedEigenvalues) {
  for (const Index n : {60, 280}) {
    const SparseMatrix A = cycle(n);
    const oracle::Pairs expected = oracle::symmetric_eigenpairs(ColMatrix(A));
    for (const EigenSolver solver : {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kShiftInvert}) {
      const Eigenpairs pairs = smallest_eigenpairs(A, constant(n), {.n_pairs = 4, .solver = solver});
      expect_pairs(A, pairs, constant(n));
      EXPECT_LT((pairs.values - expected.values.segment(1, 4)).cwiseAbs().maxCoeff(), 1e-11);
      EXPECT_LT(oracle::subspace_gap(pairs.vectors.leftCols(2), expected.vectors.middleCols(1, 2)), 1e-7);
      EXPECT_LT(oracle::subspace_gap(pairs.vectors, expected.vectors.middleCols(1, 4)), 1e-7);
    }
  }
}

// The Laplacian of a product of graphs: eigenvalues add up.
SparseMatrix product(const SparseMatrix& A, const SparseMatrix& B) {
  const Index n = A.rows(), m = B.rows();
  ColMatrix L = ColMatrix::Zero(n * m, n * m);
  const ColMatrix a = A, b = B;
  for (Index i = 0; i < n; ++i) {
    L.block(i * m, i * m, m, m) += b;
    for (Index j = 0; j < n; ++j) L.block(i * m, j * m, m, m) += a(i, j) * ColMatrix::Identity(m, m);
  }
  return to_sparse(L);
}

TEST(SmallestEigenpairs, FindEveryCopyOfARepeatedEigenvalue) {
  // A torus has its first eigenvalue four times; a star has the eigenvalue 1 n − 2 times; parallel cycles have the same
  // eigenvalues.
  ColMatrix star = ColMatrix::Identity(300, 300);
  star(0, 0) = 299;
  star.block(0, 1, 1, 299).setConstant(-1);
  star.block(1, 0, 299, 1).setConstant(-1);
  const SparseMatrix cycles = product(SparseMatrix(6, 6), cycle(60));
  for (const SparseMatrix& A : {product(cycle(18), cycle(18)), to_sparse(star), cycles}) {
    const Index n = A.rows();
    const oracle::Pairs expected = oracle::symmetric_eigenpairs(ColMatrix(A));
    for (const Index k : {1, 2, 3, 4, 5, 6, 9, 20, 50}) {
      const Eigenpairs pairs = smallest_eigenpairs(A, constant(n), {.n_pairs = k, .solver = EigenSolver::kShiftInvert});
      expect_pairs(A, pairs, constant(n));
      EXPECT_LT((pairs.values - expected.values.segment(1, k)).cwiseAbs().maxCoeff(), 1e-9) << n << " " << k;
    }
  }
}

// Restarted Lanczos starts from one vector, which contains only one vector of each eigenspace.
TEST(SmallestEigenpairs, FindEveryCopyByRestartedLanczosToo) {
  const SparseMatrix torus = product(cycle(20), cycle(22)), cycles = product(SparseMatrix(8, 8), cycle(60));
  for (const SparseMatrix& A : {torus, cycles}) {
    const Index n = A.rows();
    const oracle::Pairs expected = oracle::symmetric_eigenpairs(ColMatrix(A));
    const auto expect_all = [&](Index k, EigenSolver solver) {
      const Eigenpairs pairs = smallest_eigenpairs(A, constant(n), {.n_pairs = k, .solver = solver});
      expect_pairs(A, pairs, constant(n));
      EXPECT_LT((pairs.values - expected.values.segment(1, k)).cwiseAbs().maxCoeff(), 1e-9)
          << n << " " << k << " " << name_of(solver);
    };
    for (const Index k : {65, 80, 86}) expect_all(k, EigenSolver::kShiftInvert);
    for (const Index k : {1, 2, 3, 4, 5, 6, 9, 20, 50, 80}) expect_all(k, EigenSolver::kLanczos);
  }
}

TEST(SmallestEigenpairs, FindAKernelThatWasNotDeflated) {  // two paths side by side
  for (const Index half : {30, 200}) {
    ColMatrix L = ColMatrix::Zero(2 * half, 2 * half);
    L.topLeftCorner(half, half) = path(half);
    L.bottomRightCorner(half, half) = path(half);
    const SparseMatrix A = to_sparse(L);
    const Eigenpairs pairs = smallest_eigenpairs(A, constant(2 * half), {.n_pairs = 1});
    expect_pairs(A, pairs, constant(2 * half));
    EXPECT_NEAR(pairs.values[0], 0, 1e-12);
  }
}

TEST(SmallestEigenpairs, WorkWithoutDeflationAndWithSeveralVectors) {
  const SparseMatrix A = path(90);
  const oracle::Pairs all = oracle::symmetric_eigenpairs(ColMatrix(A));
  const Eigenpairs plain = smallest_eigenpairs(A, ColMatrix(90, 0), {.n_pairs = 2});
  EXPECT_NEAR(plain.values[0], 0, 1e-12);
  for (const EigenSolver solver : {EigenSolver::kDense, EigenSolver::kShiftInvert}) {
    const ColMatrix deflate = all.vectors.leftCols(3);
    const Eigenpairs pairs = smallest_eigenpairs(A, deflate, {.n_pairs = 2, .solver = solver});
    expect_pairs(A, pairs, deflate);
    EXPECT_LT((pairs.values - all.values.segment(3, 2)).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(SmallestEigenpairs, CanBeAllPairs) {
  const SparseMatrix A = path(12);
  const Eigenpairs pairs = smallest_eigenpairs(A, constant(12), {.n_pairs = 11});
  EXPECT_LT((pairs.values - oracle::symmetric_eigenpairs(ColMatrix(A)).values.tail(11)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(message_of<InvalidArgument>([&] { (void)smallest_eigenpairs(A, constant(12), {.n_pairs = 12}); }),
            "12 eigenpairs were requested, but 12 samples have only 11");
}

TEST(SmallestEigenpairs, AreTheSameOnEveryRunAndOnTwoThreads) {
  const SparseMatrix A = random_semidefinite(500);
  for (const EigenSolver solver : {EigenSolver::kShiftInvert, EigenSolver::kLanczos}) {
    const EigenOptions options{.n_pairs = 3, .solver = solver};
    const Eigenpairs one = smallest_eigenpairs(A, constant(500), options);
    const Eigenpairs again = smallest_eigenpairs(A, constant(500), options);
    const Eigenpairs two = smallest_eigenpairs(A, constant(500), options, {.n_threads = 2});
    EXPECT_EQ(one.vectors, again.vectors);
    EXPECT_EQ(one.vectors, two.vectors);
  }
}

// The eigenvalues of a long path are too close together for Lanczos.
TEST(SmallestEigenpairs, AreDenseIfTheSolverAskedForDoesNotConverge) {
  const Eigenpairs pairs =
      smallest_eigenpairs(path(700), constant(700), {.n_pairs = 3, .solver = EigenSolver::kLanczos});
  EXPECT_EQ(pairs.solver, "dense");
  EXPECT_TRUE(pairs.replaced);
  expect_pairs(path(700), pairs, constant(700));
}

TEST(SmallestEigenpairs, CanBeAllThereAre) {
  for (const EigenSolver solver : kSolvers)
    expect_pairs(path(4), smallest_eigenpairs(path(4), constant(4), {.n_pairs = 3, .solver = solver}), constant(4));
}

TEST(SmallestEigenpairs, NeverReturnUnconvergedPairs) {
  const EigenOptions strict{.n_pairs = 4, .solver = EigenSolver::kLanczos, .tolerance = 1e-12};
  try {
    const Eigenpairs pairs = smallest_eigenpairs(path(700), constant(700), strict);
    EXPECT_LE(pairs.residual, 1e-12);
  } catch (const NumericalError& error) {
    EXPECT_TRUE(contains(error.what(), "Lanczos") || contains(error.what(), "residual")) << error.what();
  }
}

// Shift-invert finds the pairs nearest to zero, which are not the smallest here.
TEST(SmallestEigenpairs, OfAMatrixThatIsNotSemidefiniteAreDense) {
  SparseMatrix A = path(300);
  A.coeffRef(5, 5) = -50;
  const Eigenpairs pairs =
      smallest_eigenpairs(A, ColMatrix(300, 0), {.n_pairs = 2, .solver = EigenSolver::kShiftInvert});
  EXPECT_TRUE(pairs.replaced);
  EXPECT_LT(pairs.values[0], -50);
  expect_pairs(A, pairs, ColMatrix(300, 0));
}

TEST(SmallestEigenpairs, RefuseWhatDoesNotFitIntoMemory) {
  const auto text = message_of<InvalidArgument>([] {
    (void)smallest_eigenpairs(path(300), constant(300), {.n_pairs = 2, .solver = EigenSolver::kDense},
                              {.memory_limit = 1000});
  });
  EXPECT_TRUE(contains(text, "set solver=shift_invert")) << text;
}

}  // namespace
}  // namespace foldout
