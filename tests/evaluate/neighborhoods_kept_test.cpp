// SPDX-License-Identifier: Apache-2.0
#include "foldout/evaluate/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "evaluate/example.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

// The other samples, nearest first, ties broken by index.
std::vector<Index> order_of(const Matrix& X, Index i) {
  std::vector<Index> order(static_cast<std::size_t>(X.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  order.erase(order.begin() + i);
  std::ranges::stable_sort(order, {}, [&](Index j) { return (X.row(i) - X.row(j)).squaredNorm(); });
  return order;
}

// The definition, with whole sorted lists.
double textbook_trustworthiness(const Matrix& X, const Matrix& Y, Index k) {
  const Index n = X.rows();
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const std::vector<Index> in_x = order_of(X, i), in_y = order_of(Y, i);
    for (Index j = 0; j < k; ++j) {
      const Index rank = std::ranges::find(in_x, in_y[static_cast<std::size_t>(j)]) - in_x.begin() + 1;
      sum += static_cast<double>(std::max<Index>(0, rank - k));
    }
  }
  return 1 - 2 * sum / static_cast<double>(n * k * (2 * n - 3 * k - 1));
}

TEST(Trustworthiness, EqualsScikitLearn) {
  const Example e;
  EXPECT_NEAR(trustworthiness(e.X, e.Y, {.n_neighbors = 1}), 0.8508620689655173, 1e-12);
  EXPECT_NEAR(trustworthiness(e.X, e.Y, {.n_neighbors = 5}), 0.8668589743589743, 1e-12);
  EXPECT_NEAR(trustworthiness(e.X, e.Y, {.n_neighbors = 12}), 0.8826639892904953, 1e-12);
  EXPECT_NEAR(trustworthiness(e.X, e.Y, {.n_neighbors = 29}), 0.8857399425287357, 1e-12);
}

TEST(Continuity, EqualsScikitLearnWithTheArgumentsExchanged) {
  const Example e;
  EXPECT_NEAR(continuity(e.X, e.Y, {.n_neighbors = 1}), 0.8896551724137931, 1e-12);
  EXPECT_NEAR(continuity(e.X, e.Y, {.n_neighbors = 12}), 0.898293172690763, 1e-12);
}

TEST(Trustworthiness, EqualsTheDefinitionOverSeveralBlocks) {
  const Matrix X = Rng(1).normal_matrix(200, 20), Y = X.leftCols(2) + 0.3 * Rng(2).normal_matrix(200, 2);
  EXPECT_NEAR(trustworthiness(X, Y, {.n_neighbors = 7}), textbook_trustworthiness(X, Y, 7), 1e-14);
}

TEST(Trustworthiness, TiesAreBrokenByIndexAlsoFarFromTheOrigin) {
  Matrix grid(144, 2);
  for (Index i = 0; i < 144; ++i) grid.row(i) << 1e6 + static_cast<double>(i % 12), 1e6 + static_cast<double>(i / 12);
  Matrix shuffled(144, 2);
  const std::vector<Index> order = Rng(3).permutation(144);
  for (Index i = 0; i < 144; ++i) shuffled.row(i) = grid.row(order[static_cast<std::size_t>(i)]);
  EXPECT_DOUBLE_EQ(trustworthiness(grid, shuffled), textbook_trustworthiness(grid, shuffled, 5));
  EXPECT_DOUBLE_EQ(trustworthiness(grid, grid), 1);
}

TEST(Trustworthiness, DuplicatesAndOnePointAreRanked) {
  const Matrix X = Matrix::Constant(30, 3, 0.1), Y = Rng(1).normal_matrix(30, 2);
  EXPECT_DOUBLE_EQ(trustworthiness(X, Y), textbook_trustworthiness(X, Y, 5));
  EXPECT_DOUBLE_EQ(trustworthiness(X, X), 1);
}

TEST(Trustworthiness, SameBitsForAnyNumberOfThreads) {
  const Matrix X = Rng(1).normal_matrix(300, 8), Y = Rng(2).normal_matrix(300, 2);
  EXPECT_EQ(trustworthiness(X, Y, {}, {.n_threads = 1}), trustworthiness(X, Y, {}, {.n_threads = 2}));
}

TEST(Trustworthiness, HalfOfTheSamplesIsTooManyNeighbors) {
  const Matrix X = Rng(1).normal_matrix(10, 2);
  EXPECT_NO_THROW((void)trustworthiness(X, X, {.n_neighbors = 4}));
  EXPECT_THROW((void)trustworthiness(X, X, {.n_neighbors = 5}), InvalidArgument);
  EXPECT_THROW((void)continuity(X, X, {.n_neighbors = 0}), InvalidArgument);
  EXPECT_THROW((void)trustworthiness(X, X.topRows(9)), InvalidArgument);
}

TEST(NeighborOverlap, IsTheMeanFractionOfCommonNeighbors) {
  const Example e;
  double expected = 0;
  for (Index i = 0; i < 60; ++i) {
    const std::vector<Index> in_x = order_of(e.X, i), in_y = order_of(e.Y, i);
    for (std::size_t j = 0; j < 8; ++j) expected += std::count(in_y.begin(), in_y.begin() + 8, in_x[j]) / 480.0;
  }
  EXPECT_NEAR(neighbor_overlap(e.X, e.Y, {.n_neighbors = 8}), expected, 1e-14);
  EXPECT_DOUBLE_EQ(neighbor_overlap(e.X, 3 * e.X, {.n_neighbors = 8}), 1);
  EXPECT_DOUBLE_EQ(neighbor_overlap(e.X, e.Y, {.n_neighbors = 59}), 1);
  EXPECT_THROW((void)neighbor_overlap(e.X, e.Y, {.n_neighbors = 60}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
