// SPDX-License-Identifier: Apache-2.0
#include "foldout/extend/nystrom.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/embed/kpca.h"
#include "foldout/embed/mds.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/lvm.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {
namespace {

double difference(const Matrix& A, const Matrix& B) { return (A - B).cwiseAbs().maxCoeff() / B.cwiseAbs().maxCoeff(); }

// The kernel of the graph at new samples, evaluated from the definition.
Matrix nystrom_oracle(const Matrix& W, const Matrix& Z, const Vector& mu) {
  Matrix placed(W.rows(), Z.cols());
  for (Index i = 0; i < W.rows(); ++i) placed.row(i) = (W.row(i) / W.row(i).sum() * Z) * mu.cwiseInverse().asDiagonal();
  return placed;
}

TEST(Nystrom, EvaluatesTheHeatKernelOfTheFullGraph) {
  const Matrix X = dataset::roll(60), fresh = dataset::roll(25, 2);
  const auto fit = fit_laplacian_eigenmaps(X, {.n_components = 4, .graph = GraphKind::kFull});
  const Matrix W = (-oracle::distances(fresh, X).array().square() / fit.width).exp();
  const auto map = extend_nystrom(X, fit, {.fallback = NystromFallback::kNone});
  EXPECT_LT(difference(map->transform(fresh), nystrom_oracle(W, fit.coordinates, 1 - fit.eigenvalues.array())), 1e-9);
  EXPECT_EQ(map->info().name, "nystrom");
  EXPECT_TRUE(map.report.notes.empty());
}

TEST(Nystrom, JoinsToTheNearestAsTheKnnGraphDoes) {
  const Matrix X = dataset::roll(80), fresh = dataset::roll(25, 2);
  const auto fit = fit_laplacian_eigenmaps(X, {.n_components = 3, .n_neighbors = 7});
  const NeighborTable table = oracle::nearest(X, fresh, 7);
  Matrix W = Matrix::Zero(25, 80);
  for (Index i = 0; i < 25; ++i)
    for (Index j = 0; j < 7; ++j) {
      const double d = table.distances_of(i)[static_cast<std::size_t>(j)];
      W(i, table.of(i)[static_cast<std::size_t>(j)]) = std::exp(-d * d / fit.width);
    }
  const auto map = extend_nystrom(X, fit);
  EXPECT_LT(difference(map->transform(fresh), nystrom_oracle(W, fit.coordinates, 1 - fit.eigenvalues.array())), 1e-10);
  EXPECT_EQ(map->info().promise, TrainingPromise::kApproximate);
}

TEST(Nystrom, IsLvmDividedByTheEigenvalue) {
  const Matrix X = dataset::roll(80), fresh = dataset::roll(25, 2);
  const auto fit = fit_laplacian_eigenmaps(X, {.n_components = 3, .n_neighbors = 7});
  const Matrix lvm = extend_lvm(X, fit.coordinates, {.n_neighbors = 7, .width = fit.width})->transform(fresh);
  const Matrix divided = lvm * (1 - fit.eigenvalues.array()).inverse().matrix().asDiagonal();
  EXPECT_LT(difference(extend_nystrom(X, fit)->transform(fresh), divided), 1e-12);
}

TEST(Nystrom, ReproducesTrainingSamplesOfGraphsWithSelfLoopsOnly) {
  const Matrix X = dataset::roll(90);
  for (const GraphKind graph : {GraphKind::kFull, GraphKind::kBall})
    for (const EdgeWeights weights : {EdgeWeights::kHeat, EdgeWeights::kBinary})
      for (const bool self_loops : {true, false}) {
        if (graph == GraphKind::kFull && weights == EdgeWeights::kBinary) continue;  // all rows of the graph are equal
        const auto fit = fit_laplacian_eigenmaps(
            X, {.n_components = 3, .graph = graph, .weights = weights, .self_loops = self_loops});
        const auto map = extend_nystrom(X, fit);
        const double error = difference(map->transform(X), fit.coordinates);
        EXPECT_EQ(map->info().promise == TrainingPromise::kExact, self_loops);
        if (self_loops)
          EXPECT_LT(error, 1e-12);
        else
          EXPECT_GT(error, 1e-3);
      }
}

TEST(Nystrom, ReproducesTrainingSamplesOfDiffusionMaps) {
  const Matrix X = dataset::roll(90);
  for (const GraphKind graph : {GraphKind::kFull, GraphKind::kBall})
    for (const double alpha : {0.0, 0.5, 1.0})
      for (const int time : {0, 1, 3}) {
        const auto fit = fit_diffusion_maps(X, {.n_components = 3, .alpha = alpha, .time = time, .graph = graph});
        const auto map = extend_nystrom(X, fit);
        EXPECT_EQ(map->info().promise, TrainingPromise::kExact);
        EXPECT_LT(difference(map->transform(X), fit.coordinates), 1e-10) << alpha << " " << time;
      }
}

TEST(Nystrom, IsOnlyApproximateOnARepairedGraph) {
  const Matrix X = dataset::blobs(30, 2, 3, 100);
  for (const Components components : {Components::kConnect, Components::kLargest}) {
    const auto fit = fit_laplacian_eigenmaps(
        X, {.graph = GraphKind::kBall, .radius = 5.0, .self_loops = true, .components = components});
    const auto map = extend_nystrom(X, fit, {.fallback = NystromFallback::kNone});
    EXPECT_EQ(map->info().promise, TrainingPromise::kApproximate);
    EXPECT_TRUE(map->transform(X).allFinite());
    // A fallback to lle is fitted to all samples and reproduces them.
    const auto by_lle = extend_nystrom(X, fit, {.fallback = NystromFallback::kLle, .min_eigenvalue = 1.0});
    EXPECT_EQ(by_lle->info().promise, TrainingPromise::kExact);
    EXPECT_LT(difference(by_lle->transform(X), fit.coordinates), 1e-12);
  }
}

TEST(Nystrom, NamesSamplesOutsideEveryBall) {
  const Matrix X = dataset::roll(60);
  const auto fit = fit_laplacian_eigenmaps(X, {.graph = GraphKind::kBall, .self_loops = true});
  const auto map = extend_nystrom(X, fit);
  Matrix far = X.topRows(2);
  far.row(1).array() += 1000;
  Report report;
  const Matrix placed = map->transform(far, {}, report);
  ASSERT_TRUE(report.has_note("outside_every_ball"));
  EXPECT_TRUE(placed.allFinite());
}

TEST(Nystrom, DoesNotVanishFarAway) {
  const Matrix X = dataset::roll(60);
  const auto fit = fit_laplacian_eigenmaps(X, {.graph = GraphKind::kFull, .width = 0.5, .self_loops = true});
  const Matrix far = X.array() * 50;  // every heat weight underflows
  EXPECT_TRUE(extend_nystrom(X, fit)->transform(far).allFinite());
}

TEST(Nystrom, DoesNotDivideByTinyEigenvalues) {
  LaplacianEigenmapsFit fit = fit_laplacian_eigenmaps(dataset::roll(40), {.n_components = 2});
  fit.eigenvalues[1] = 1;
  const auto map = extend_nystrom(dataset::roll(40), fit, {.fallback = NystromFallback::kNone});
  EXPECT_TRUE(map.report.has_note("nystrom_undivided"));
  EXPECT_EQ(map->info().promise, TrainingPromise::kApproximate);
  EXPECT_TRUE(map->transform(dataset::roll(10, 3)).allFinite());
}

TEST(Nystrom, OfMdsIsExactForEveryMetricAndSolver) {
  const Matrix X = dataset::lifted_roll(70, 6).array() + 9;
  for (const Metric metric : {Metric::kEuclidean, Metric::kCosine})
    for (const EigenSolver solver : {EigenSolver::kAuto, EigenSolver::kDense}) {
      const auto fit = fit_mds(X, {.n_components = 3, .metric = metric, .solver = solver});
      EXPECT_LT(difference(fit.map->transform(X), fit.coordinates), 1e-8);
      // A new sample preserves its squared distances to the training samples as well as possible: Gower's formula.
      const Matrix fresh = dataset::lifted_roll(5, 6, 3).array() + 9;
      Matrix D2 = oracle::distances(X, X, metric).array().square();
      const Matrix d2 = oracle::distances(fresh, X, metric).array().square();
      const Vector means = D2.rowwise().mean();
      const Matrix placed =
          -0.5 * (d2.rowwise() - means.transpose()) * fit.coordinates * fit.eigenvalues.cwiseInverse().asDiagonal();
      EXPECT_LT(difference(fit.map->transform(fresh), placed), 1e-8);
    }
}

TEST(Nystrom, OfIsomapIsItsGeodesicExtensionAndOfLleItsWeights) {
  const Matrix X = dataset::roll(70), fresh = dataset::roll(20, 4);
  const IsomapFit isomap = fit_isomap(X);
  const auto by_kernel = extend_nystrom(X, isomap);
  EXPECT_EQ(by_kernel->info().name, "nystrom");
  EXPECT_TRUE(dataset::same_bits(by_kernel->transform(fresh), extend_geodesic(X, isomap)->transform(fresh)));
  const LleOptions options{.n_neighbors = 8};
  const Embedding lle = fit_lle(X, options);
  const auto by_weights = extend_nystrom(X, lle, options);
  EXPECT_EQ(by_weights->info().name, "nystrom");
  EXPECT_TRUE(dataset::same_bits(by_weights->transform(fresh),
                                 extend_lle(X, lle.coordinates, {.n_neighbors = 8})->transform(fresh)));
}

}  // namespace
}  // namespace foldout
