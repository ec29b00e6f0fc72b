// SPDX-License-Identifier: Apache-2.0
#include "foldout/embed/laplacian_eigenmaps.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

double mean_squared_edge(const Matrix& D, const Matrix& A) { return A.cwiseProduct(D.cwiseAbs2()).sum() / A.sum(); }

// The fit against the dense generalised eigenproblem of the graph W, its constraint and its eigenvalues.
void expect_solves(const LaplacianEigenmapsFit& fit, const Matrix& W) {
  const Index d = fit.coordinates.cols();
  const oracle::Fit expected = oracle::laplacian_eigenmaps(W, d);
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
  EXPECT_LT((fit.eigenvalues - expected.eigenvalues).cwiseAbs().maxCoeff(), 1e-10);
  const Vector degrees = W.rowwise().sum();
  EXPECT_LT((fit.degrees - degrees).cwiseAbs().maxCoeff(), 1e-12 * degrees.maxCoeff());
  const Matrix DZ = degrees.asDiagonal() * fit.coordinates;
  const Matrix gram = fit.coordinates.transpose() * DZ;
  EXPECT_LT((gram - Matrix::Identity(d, d)).cwiseAbs().maxCoeff(), 1e-9);  // ZᵀDZ = I
  EXPECT_LT(DZ.colwise().sum().cwiseAbs().maxCoeff(), 1e-9);               // ZᵀD1 = 0
}

TEST(LaplacianEigenmaps, SolvesTheGeneralisedEigenproblem) {
  for (const Index n : {200, 300})  // dense, and sparse
    for (const auto solver :
         {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kShiftInvert, EigenSolver::kLanczos}) {
      const Matrix X = dataset::roll(n);
      const Matrix D = oracle::distances(X, X), A = oracle::adjacency(oracle::nearest_others(X, 10), false);
      const auto fit = fit_laplacian_eigenmaps(X, {.n_components = 3, .n_neighbors = 10, .solver = solver});
      EXPECT_NEAR(fit.width, mean_squared_edge(D, A), 1e-12 * fit.width);
      expect_solves(fit, oracle::heat(D, A, fit.width));
      ASSERT_TRUE(fit.report.find_fact("solver"));
      if (solver != EigenSolver::kAuto) {
        EXPECT_EQ(*fit.report.find_fact("solver"), name_of(solver));
      }
      EXPECT_LT(*fit.report.find_figure("residual"), 1e-9);
    }
}

TEST(LaplacianEigenmaps, SupportsEveryKindOfWeights) {
  const Matrix X = dataset::roll(160).array() + 20;  // cosines are positive there
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 8), false);
  expect_solves(fit_laplacian_eigenmaps(X, {.n_neighbors = 8, .weights = EdgeWeights::kBinary}), A);
  const Matrix cosines = 1 - oracle::distances(X, X, Metric::kCosine).array();
  expect_solves(fit_laplacian_eigenmaps(X, {.n_neighbors = 8, .weights = EdgeWeights::kCosine}),
                A.cwiseProduct(cosines));
  expect_solves(fit_laplacian_eigenmaps(X, {.n_neighbors = 8, .width = 3.5}),
                oracle::heat(oracle::distances(X, X), A, 3.5));
}

TEST(LaplacianEigenmaps, AveragesEdgesOrPairsForTheWidth) {
  const Matrix X = dataset::roll(150), D = oracle::distances(X, X);
  const double pairs = D.squaredNorm() / (150.0 * 149.0);
  EXPECT_NEAR(fit_laplacian_eigenmaps(X, {.width_rule = WidthRule::kPairs}).width, pairs, 1e-10 * pairs);
  EXPECT_NEAR(fit_laplacian_eigenmaps(X, {.graph = GraphKind::kFull}).width, pairs, 1e-10 * pairs);
  const double edges = mean_squared_edge(D, oracle::adjacency(oracle::nearest_others(X, 10), false));
  EXPECT_NEAR(fit_laplacian_eigenmaps(X, {.width_rule = WidthRule::kEdges}).width, edges, 1e-10 * edges);
}

TEST(LaplacianEigenmaps, SupportsTheFullGraph) {
  const Matrix X = dataset::roll(150);
  const auto fit = fit_laplacian_eigenmaps(X, {.n_components = 4, .graph = GraphKind::kFull});
  Matrix W = oracle::heat(oracle::distances(X, X), Matrix::Ones(150, 150), fit.width);
  W.diagonal().setZero();
  expect_solves(fit, W);
  W.diagonal().setOnes();
  expect_solves(fit_laplacian_eigenmaps(X, {.n_components = 4, .graph = GraphKind::kFull, .self_loops = true}), W);
}

TEST(LaplacianEigenmaps, SupportsTheMutualGraph) {
  const Matrix X = dataset::grid(13, 2) + 0.2 * Rng(4).uniform_matrix(169, 2);
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 12), true);
  const auto fit =
      fit_laplacian_eigenmaps(X, {.graph = GraphKind::kMutual, .n_neighbors = 12, .components = Components::kError});
  expect_solves(fit, oracle::heat(oracle::distances(X, X), A, fit.width));
}

TEST(LaplacianEigenmaps, SupportsTheBallGraph) {
  const Matrix X = dataset::roll(200), D = oracle::distances(X, X);
  Matrix A = (D.array() <= 8.0).cast<double>();
  A.diagonal().setZero();
  const auto fit = fit_laplacian_eigenmaps(
      X, {.graph = GraphKind::kBall, .radius = 8.0, .self_loops = true, .components = Components::kError});
  EXPECT_EQ(fit.radius, 8.0);
  EXPECT_NEAR(fit.width, mean_squared_edge(D, A), 1e-12 * fit.width);  // a loop is not an edge
  expect_solves(fit, oracle::heat(D, A, fit.width) + Matrix::Identity(200, 200));
}

TEST(LaplacianEigenmaps, ReachesEveryKthNeighborWithTheAutomaticRadius) {
  const Matrix X = dataset::roll(120);
  const auto fit = fit_laplacian_eigenmaps(X, {.graph = GraphKind::kBall, .n_neighbors = 5});
  const NeighborTable table = oracle::nearest_others(X, 5);
  double longest = 0;
  for (Index i = 0; i < table.n; ++i) longest = std::max(longest, table.distances_of(i).back());
  EXPECT_NEAR(fit.radius, longest, 1e-12);
}

TEST(LaplacianEigenmaps, SupportsTheCosineMetric) {
  const Matrix X = dataset::roll(150).array() + 15;
  const Matrix D = oracle::distances(X, X, Metric::kCosine);
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 9, Metric::kCosine), false);
  const auto fit =
      fit_laplacian_eigenmaps(X, {.n_neighbors = 9, .metric = Metric::kCosine, .components = Components::kError});
  expect_solves(fit, oracle::heat(D, A, fit.width));
}

TEST(LaplacianEigenmaps, GivesDuplicatesNearlyTheSameCoordinates) {
  const Matrix X = dataset::repeated(dataset::roll(80), 3);
  const auto fit = fit_laplacian_eigenmaps(X, {.graph = GraphKind::kFull, .self_loops = true});
  const double size = fit.coordinates.cwiseAbs().maxCoeff();
  for (Index i = 0; i < X.rows(); i += 3)
    EXPECT_LT((fit.coordinates.row(i) - fit.coordinates.row(i + 2)).norm(), 1e-9 * size);
}

TEST(LaplacianEigenmaps, RefusesInvalidRequests) {
  const Matrix X = dataset::roll(30);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)fit_laplacian_eigenmaps(X, {.n_components = 30}); }),
                       "n_components = 30"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)fit_laplacian_eigenmaps(X, {.n_components = 0}); }),
                       "n_components = 0 must be ≥ 1"));
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)fit_laplacian_eigenmaps(X, {.width = -1.0}); }), "width = -1"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] {
                         (void)fit_laplacian_eigenmaps(X, {.width = 1e-9, .components = Components::kError});
                       }),
                       "raise width"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] {
                         (void)fit_laplacian_eigenmaps(X, {.graph = GraphKind::kFull}, {.memory_limit = 100});
                       }),
                       "use graph=knn"));
}

}  // namespace
}  // namespace foldout
