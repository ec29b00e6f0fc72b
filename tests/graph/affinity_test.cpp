// SPDX-License-Identifier: Apache-2.0
#include "graph/affinity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

AffinityGraph graph_of(const Matrix& X, const GraphOptions& options) {
  Report report;
  return build_affinity_graph(X, options, {}, report);
}

double difference(const SparseMatrix& W, const Matrix& expected) {
  EXPECT_EQ(W.nonZeros(), (expected.array() > 0).count());
  return (Matrix(W) - expected).cwiseAbs().maxCoeff();
}

TEST(AffinityGraph, JoinsNearestNeighborsOfEither) {
  for (const Matrix& X : {dataset::roll(150), dataset::grid(12, 2), dataset::lifted_roll(120, 14)}) {
    const Matrix A = oracle::adjacency(oracle::nearest_others(X, 6), false);
    const GraphOptions options{.n_neighbors = 6, .weights = EdgeWeights::kBinary, .components = Components::kError};
    EXPECT_EQ(difference(graph_of(X, options).sparse, A), 0);
  }
}

TEST(AffinityGraph, JoinsMutualNeighbors) {
  for (const Matrix& X : {dataset::grid(12, 2), Matrix(dataset::grid(5, 3) + 0.1 * Rng(1).uniform_matrix(125, 3))}) {
    const Matrix A = oracle::adjacency(oracle::nearest_others(X, 12), true);
    const GraphOptions options{.graph = GraphKind::kMutual,
                               .n_neighbors = 12,
                               .weights = EdgeWeights::kBinary,
                               .components = Components::kError};
    EXPECT_EQ(difference(graph_of(X, options).sparse, A), 0);
  }
}

TEST(AffinityGraph, JoinsWithinABall) {
  const Matrix X = dataset::grid(7, 2);
  Matrix A = (oracle::distances(X, X).array() <= std::sqrt(2.0)).cast<double>();
  A.diagonal().setZero();
  const auto graph =
      graph_of(X, {.graph = GraphKind::kBall, .radius = std::sqrt(2.0), .weights = EdgeWeights::kBinary});
  EXPECT_EQ(difference(graph.sparse, A), 0);
  EXPECT_EQ(graph.radius, std::sqrt(2.0));
}

// The automatic radius reaches every k-th neighbour, also when its square is rounded down.
TEST(AffinityGraph, GivesEverySampleItsNeighborsWithTheAutomaticRadius) {
  for (const Index k : {3, 4, 7, 8, 17}) {
    const Matrix X = dataset::grid(5, 3) * std::sqrt(0.3);
    const auto graph =
        graph_of(X, {.graph = GraphKind::kBall, .n_neighbors = static_cast<int>(k), .weights = EdgeWeights::kBinary});
    EXPECT_GE(graph.degrees().minCoeff(), static_cast<double>(k)) << k;
  }
}

TEST(AffinityGraph, JoinsAll) {
  const Matrix X = dataset::roll(60), D = oracle::distances(X, X);
  const auto graph = graph_of(X, {.graph = GraphKind::kFull, .width = 30.0});
  ASSERT_TRUE(graph.is_dense());
  EXPECT_EQ(graph.size(), 60);
  Matrix W = oracle::heat(D, Matrix::Ones(60, 60), 30);
  W.diagonal().setZero();
  EXPECT_LT((graph.dense - W).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(graph.dense, Matrix(graph.dense.transpose()));
  const auto binary = graph_of(X, {.graph = GraphKind::kFull, .weights = EdgeWeights::kBinary, .self_loops = true});
  EXPECT_EQ(binary.dense, Matrix(Matrix::Ones(60, 60)));
}

TEST(AffinityGraph, IsSymmetricToTheBit) {
  for (const GraphKind kind : {GraphKind::kKnn, GraphKind::kMutual, GraphKind::kBall})
    for (const EdgeWeights weights : {EdgeWeights::kHeat, EdgeWeights::kCosine}) {
      const Matrix W = graph_of(dataset::roll(150).array() + 20, {.graph = kind, .weights = weights}).sparse;
      EXPECT_TRUE(dataset::same_bits(W, W.transpose()));
      EXPECT_GE(W.minCoeff(), 0);
    }
}

TEST(AffinityGraph, WeighsByHeat) {
  const Matrix X = dataset::roll(120), D = oracle::distances(X, X);
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 10), false);
  EXPECT_LT(difference(graph_of(X, {.width = 7.0}).sparse, oracle::heat(D, A, 7)), 1e-13);
  const double edges = A.cwiseProduct(D.cwiseAbs2()).sum() / A.sum(), pairs = D.squaredNorm() / (120.0 * 119.0);
  EXPECT_NEAR(graph_of(X, {}).width, edges, 1e-12 * edges);
  EXPECT_NEAR(graph_of(X, {.width_rule = WidthRule::kEdges}).width, edges, 1e-12 * edges);
  EXPECT_NEAR(graph_of(X, {.width_rule = WidthRule::kPairs}).width, pairs, 1e-12 * pairs);
  EXPECT_NEAR(graph_of(X, {.graph = GraphKind::kFull}).width, pairs, 1e-12 * pairs);
  EXPECT_EQ(graph_of(X, {.weights = EdgeWeights::kBinary}).width, 0);
}

TEST(AffinityGraph, DoesNotCountBridgesForTheWidth) {
  const Matrix X = dataset::blobs(30, 2, 3, 1000), D = oracle::distances(X, X);
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 5), false);
  const double edges = A.cwiseProduct(D.cwiseAbs2()).sum() / A.sum();
  EXPECT_NEAR(graph_of(X, {.n_neighbors = 5}).width, edges, 1e-8 * edges);
}

TEST(AffinityGraph, KeepsBridgesFromUnderflow) {
  const Matrix W = graph_of(dataset::blobs(30, 2, 3, 1e6), {.n_neighbors = 5}).sparse;
  EXPECT_GE(W.block(0, 30, 30, 30).maxCoeff(), 1e-4);
  EXPECT_EQ((W.block(0, 30, 30, 30).array() > 0).count(), 1);
}

TEST(AffinityGraph, WeighsByTheCosine) {
  const Matrix X = dataset::roll(100).array() + 20;
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 10), false);
  const Matrix cosines = 1 - oracle::distances(X, X, Metric::kCosine).array();
  EXPECT_LT(difference(graph_of(X, {.weights = EdgeWeights::kCosine}).sparse, A.cwiseProduct(cosines)), 1e-13);
  const auto full = graph_of(X, {.graph = GraphKind::kFull, .weights = EdgeWeights::kCosine, .self_loops = true});
  EXPECT_LT((full.dense - cosines).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(AffinityGraph, CountsNegativeCosinesAsZero) {
  const Matrix X = Rng(3).normal_matrix(40, 3);
  const auto graph = graph_of(X, {.graph = GraphKind::kFull, .weights = EdgeWeights::kCosine});
  EXPECT_EQ(graph.dense.minCoeff(), 0);
}

TEST(AffinityGraph, AddsSelfLoops) {
  const Matrix X = dataset::roll(80);
  const auto without = graph_of(X, {}), with = graph_of(X, {.self_loops = true});
  EXPECT_EQ(Matrix(with.sparse), Matrix(Matrix(without.sparse) + Matrix::Identity(80, 80)));
  EXPECT_LT((with.degrees() - without.degrees() - Vector::Ones(80)).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(AffinityGraph, WeighsDuplicatesWithOne) {
  const Matrix X = dataset::repeated(dataset::roll(30), 3);
  const Matrix W = graph_of(X, {.n_neighbors = 8}).sparse;
  for (Index i = 0; i < X.rows(); i += 3) EXPECT_EQ(W(i, i + 1), 1);
  EXPECT_EQ(graph_of(Matrix::Ones(20, 3), {.n_neighbors = 5}).width, 1);
}

TEST(AffinityGraph, RefusesWhatHasNoWeight) {
  Matrix X = dataset::roll(40);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)graph_of(X, {.width = 1e-12}); }), "raise width"));
  X.row(4).setZero();
  const auto text = message_of<InvalidArgument>([&] { (void)graph_of(X, {.weights = EdgeWeights::kCosine}); });
  EXPECT_TRUE(contains(text, "has length 0")) << text;
}

TEST(DistanceGraph, KeepsEdgesOfLengthZero) {
  Report report;
  const Matrix X = dataset::repeated(dataset::grid(4, 2), 2);
  const DistanceGraph graph = build_distance_graph(X, {.n_neighbors = 5}, {}, report);
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 5), false);
  EXPECT_EQ(graph.lengths.nonZeros(), static_cast<Index>(A.sum()));
  EXPECT_EQ(graph.lengths.coeff(0, 1), 0);
  EXPECT_LT((Matrix(graph.lengths) - A.cwiseProduct(oracle::distances(X, X))).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(MeanSquaredPairDistance, IsTheMeanOverPairs) {
  const Matrix X = Rng(4).normal_matrix(70, 5).array() + 100;
  EXPECT_NEAR(mean_squared_pair_distance(X), oracle::distances(X, X).squaredNorm() / (70.0 * 69.0), 1e-10);
  EXPECT_EQ(mean_squared_pair_distance(Matrix::Ones(1, 3)), 0);
}

}  // namespace
}  // namespace foldout
