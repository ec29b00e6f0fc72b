// SPDX-License-Identifier: Apache-2.0
#include "linalg/sparse_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "core/random.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

// The Laplacian of n nodes, each joined to `degree` random ones, of which the first has one more edge, to the ground.
SparseMatrix random_graph(Index n, Index degree) {
  Rng rng(5);
  Matrix L = Matrix::Zero(n, n);
  L(0, 0) = 1;
  for (Index i = 0; i < n; ++i)
    for (Index edge = 0; edge < degree; ++edge) {
      const auto j = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
      if (i == j) continue;
      const double w = rng.uniform(0.5, 1);
      L(i, i) += w;
      L(j, j) += w;
      L(i, j) -= w;
      L(j, i) -= w;
    }
  return L.sparseView();
}

// Rows of a strip of w nodes: fills in little.
SparseMatrix strip(Index n, Index w) {
  Matrix L = Matrix::Zero(n, n);
  L(0, 0) = 1;
  for (Index i = 0; i < n; ++i)
    for (const Index step : {Index{1}, w})
      if (i + step < n) {
        L(i, i) += 1;
        L(i + step, i + step) += 1;
        L(i, i + step) = L(i + step, i) = -1;
      }
  return L.sparseView();
}

ColMatrix random_columns(Index n, Index width) {
  Rng rng(9);
  ColMatrix B(n, width);
  for (double& entry : B.reshaped()) entry = rng.uniform(-1, 1);
  return B;
}

TEST(SparseFactor, SolvesForAnyNumberOfColumns) {
  for (const bool fills_in : {false, true}) {
    const SparseMatrix A = fills_in ? random_graph(700, 5) : strip(700, 4);
    SparseFactor factor(A);
    EXPECT_EQ(factor.fills_in(), fills_in);
    const double shift = 1e-3;
    factor.compute(shift, {});
    const ColMatrix shifted = ColMatrix(A) + shift * ColMatrix::Identity(700, 700);
    for (const Index width : {1, 2, 3, 8, 13, 40}) {
      const ColMatrix B = random_columns(700, width);
      ColMatrix X(700, width);
      factor.solve(B, X, {});
      EXPECT_LT((shifted * X - B).norm(), 1e-9 * X.norm()) << width;
      EXPECT_LT((X - shifted.llt().solve(B)).norm(), 1e-8 * X.norm()) << width;
    }
  }
}

TEST(SparseFactor, IsTheSameOnTwoThreads) {
  const SparseMatrix A = random_graph(900, 6);
  SparseFactor factor(A);
  ASSERT_TRUE(factor.fills_in());
  const ColMatrix B = random_columns(900, 5);
  ColMatrix one(900, 5), two(900, 5);
  factor.compute(1e-6, {});
  factor.solve(B, one, {});
  factor.compute(1e-6, {.n_threads = 2});
  factor.solve(B, two, {.n_threads = 2});
  EXPECT_EQ(one, two);
}

TEST(SparseFactor, CountsWhatItNeeds) {
  const SparseFactor factor(random_graph(600, 5));
  EXPECT_GE(factor.bytes(), 8 * factor.fill());
  EXPECT_LT(factor.bytes(), 8 * 600.0 * 600 * 3);
}

// Within a power of ten, for a graph that fills in.
TEST(SparseFactor, EstimatesItsWorkFromAPart) {
  // Every node is joined to those `steps` after it, and to `random` others.
  const auto ring = [](Index n, const std::vector<Index>& steps, int random) {
    Rng rng(6);
    std::vector<Eigen::Triplet<double, int>> entries;
    const auto join = [&](Index i, Index j) {
      const auto a = static_cast<int>(i), b = static_cast<int>(j);
      entries.emplace_back(a, b, -1);
      entries.emplace_back(b, a, -1);
    };
    for (Index i = 0; i < n; ++i) {
      entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 20);
      for (const Index step : steps) join(i, (i + step) % n);
      for (int r = 0; r < random; ++r) join(i, static_cast<Index>(rng.below(static_cast<std::uint64_t>(n))));
    }
    SparseMatrix A(n, n);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  };
  const SparseMatrix expander = ring(8000, {1}, 3);
  const auto estimate = estimated_flops(expander);
  ASSERT_TRUE(estimate);
  const double exact = SparseFactor(expander).flops();
  EXPECT_GT(*estimate, 0.1 * exact);
  EXPECT_LT(*estimate, 10 * exact);
  EXPECT_FALSE(estimated_flops(ring(24000, {1, 150}, 0)));  // a torus
  EXPECT_FALSE(estimated_flops(ring(5000, {1}, 3)));
}

TEST(SparseFactor, RefusesWhatIsNotDefinite) {
  for (const bool fills_in : {false, true}) {
    SparseMatrix A = fills_in ? random_graph(500, 5) : strip(500, 4);
    A.coeffRef(250, 250) = -3;
    SparseFactor factor(A);
    EXPECT_THROW(factor.compute(1e-6, {}), NumericalError);
  }
}

TEST(SparseFactor, CanBeCancelled) {
  SparseFactor factor(random_graph(600, 5));
  EXPECT_THROW(factor.compute(1e-6, {.progress = [](const Progress&) { return false; }}), Cancelled);
}

}  // namespace
}  // namespace foldout
