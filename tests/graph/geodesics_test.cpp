// SPDX-License-Identifier: Apache-2.0
#include "graph/geodesics.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/random.h"
#include "graph/affinity.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {
namespace {

std::vector<Index> all(Index n) {
  std::vector<Index> nodes;
  for (Index i = 0; i < n; ++i) nodes.push_back(i);
  return nodes;
}

SparseMatrix knn_graph(const Matrix& X, int k) {
  Report report;
  return build_distance_graph(X, {.n_neighbors = k}, {}, report).lengths;
}

Matrix slow(const Matrix& X, Index k) {
  return oracle::geodesics(oracle::distances(X, X), oracle::adjacency(oracle::nearest_others(X, k), false));
}

TEST(Geodesics, AgreeWithFloydAndWarshall) {
  const Matrix X = dataset::roll(150);
  EXPECT_LT((geodesic_distances(knn_graph(X, 10), all(150)) - slow(X, 10)).cwiseAbs().maxCoeff(), 1e-11);
  const Matrix grid = dataset::grid(9, 2);
  EXPECT_LT((geodesic_distances(knn_graph(grid, 4), all(81)) - slow(grid, 4)).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(Geodesics, UseEdgesOfLengthZero) {
  const Matrix X = dataset::repeated(dataset::roll(50), 3);
  const Matrix G = geodesic_distances(knn_graph(X, 14), all(150));
  EXPECT_LT((G - slow(X, 14)).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_EQ(G(0, 1), 0);
  EXPECT_EQ(G(0, 2), 0);
}

TEST(Geodesics, AreInfiniteWhereThereIsNoPath) {
  SparseMatrix lengths(4, 4);
  lengths.insert(0, 1) = 2;
  lengths.insert(1, 0) = 2;
  lengths.makeCompressed();
  const Matrix G = geodesic_distances(lengths, {1, 3});
  EXPECT_EQ(G(0, 0), 2);
  EXPECT_EQ(G(0, 2), std::numeric_limits<double>::infinity());
  EXPECT_EQ(G(1, 3), 0);
  EXPECT_EQ(G(1, 0), std::numeric_limits<double>::infinity());
}

// Many sources use elimination if the graph permits, a few use Dijkstra's algorithm.
TEST(Geodesics, DoNotDependOnTheNumberOfSources) {
  for (const Matrix& X :
       {dataset::roll(300), dataset::repeated(dataset::roll(100), 3), dataset::lifted_roll(300, 20)}) {
    const SparseMatrix lengths = knn_graph(X, 12);
    const Matrix together = geodesic_distances(lengths, all(300));
    for (Index i = 0; i < 300; i += 20) {
      const Matrix alone = geodesic_distances(lengths, {i});
      EXPECT_LT((alone - together.row(i)).cwiseAbs().maxCoeff(), 1e-11 * (1 + together.maxCoeff())) << i;
    }
    EXPECT_EQ(together.diagonal().cwiseAbs().maxCoeff(), 0);
  }
}

TEST(Geodesics, OfManySourcesStayInTheirComponent) {
  const Matrix X = dataset::blobs(80, 2, 3, 1000);
  const SparseMatrix lengths =
      oracle::adjacency(oracle::nearest_others(X, 7), false).cwiseProduct(oracle::distances(X, X)).sparseView();
  const Matrix G = geodesic_distances(lengths, all(160)), expected = slow(X, 7);
  for (Index i = 0; i < 160; ++i)
    for (Index j = 0; j < 160; ++j) {
      if (i / 80 != j / 80) {
        ASSERT_EQ(G(i, j), std::numeric_limits<double>::infinity());
      } else {
        ASSERT_NEAR(G(i, j), expected(i, j), 1e-11);
      }
    }
}

TEST(Geodesics, AreTheSameOnTwoThreads) {
  for (const Matrix& X : {dataset::roll(200), dataset::lifted_roll(200, 20)}) {
    const SparseMatrix lengths = knn_graph(X, 8);
    EXPECT_TRUE(dataset::same_bits(geodesic_distances(lengths, all(200)),
                                   geodesic_distances(lengths, all(200), {.n_threads = 2})));
  }
}

TEST(ShortestPaths, StartFromSeveralNodes) {
  const Matrix X = dataset::roll(100), G = slow(X, 8);
  const SparseMatrix lengths = knn_graph(X, 8);
  ShortestPaths paths(lengths);
  std::vector<double> distances(100);
  const std::vector<std::pair<int, double>> starts{{3, 1.5}, {40, 0.25}, {3, 1.0}, {77, 100.0}};
  for (int round = 0; round < 2; ++round) {  // the working memory is reused
    paths.from(starts, distances);
    for (Index i = 0; i < 100; ++i) {
      double expected = std::numeric_limits<double>::infinity();
      for (const auto& [node, distance] : starts) expected = std::min(expected, distance + G(node, i));
      EXPECT_NEAR(distances[static_cast<std::size_t>(i)], expected, 1e-11);
    }
  }
  paths.from({}, distances);
  EXPECT_EQ(distances[0], std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace foldout
