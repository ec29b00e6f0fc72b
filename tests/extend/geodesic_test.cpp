// SPDX-License-Identifier: Apache-2.0
#include "foldout/extend/geodesic.h"

#include <gtest/gtest.h>

#include "core/rows.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/data/synthetic.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {
namespace {

// y_k = Σ_i ½ (Y_ik / λ_k) (mean_j D²_ij − δ²_i), δ through the k nearest training samples.
Matrix expected_coordinates(const Matrix& X, const Matrix& fresh, Index k, const std::vector<Index>& anchors,
                            const oracle::Fit& scaled, const Matrix& G) {
  const NeighborTable table = oracle::nearest(X, fresh, k);
  Matrix Y = Matrix::Zero(fresh.rows(), scaled.coordinates.cols());
  for (Index i = 0; i < fresh.rows(); ++i)
    for (std::size_t a = 0; a < anchors.size(); ++a) {
      double delta = std::numeric_limits<double>::infinity(), mean = 0;
      for (std::size_t j = 0; j < static_cast<std::size_t>(k); ++j)
        delta = std::min(delta, table.distances_of(i)[j] + G(table.of(i)[j], anchors[a]));
      for (const Index other : anchors) mean += std::pow(G(anchors[a], other), 2) / static_cast<double>(anchors.size());
      const auto row = static_cast<Index>(a);
      for (Index c = 0; c < Y.cols(); ++c)
        Y(i, c) += 0.5 * scaled.coordinates(row, c) / scaled.eigenvalues[c] * (mean - delta * delta);
    }
  return Y;
}

TEST(GeodesicExtension, ContinuesTheShortestPathsOfIsomap) {
  const Matrix X = dataset::roll(120), fresh = dataset::roll(40, 5);
  const Matrix G = oracle::geodesics(oracle::distances(X, X), oracle::adjacency(oracle::nearest_others(X, 8), false));
  std::vector<Index> all;
  for (Index i = 0; i < 120; ++i) all.push_back(i);
  const IsomapFit fit = fit_isomap(X, {.n_neighbors = 8});
  const Matrix placed = extend_geodesic(X, fit, {.n_neighbors = 8})->transform(fresh);
  const Matrix expected = expected_coordinates(X, fresh, 8, all, oracle::classical_scaling(G, 2), G);
  EXPECT_LT(oracle::difference_up_to_sign(placed, expected), 1e-9);
}

TEST(GeodesicExtension, UsesTheLandmarksOfLandmarkIsomap) {
  const Matrix X = dataset::roll(120), fresh = dataset::roll(40, 5);
  const Matrix G = oracle::geodesics(oracle::distances(X, X), oracle::adjacency(oracle::nearest_others(X, 8), false));
  const IsomapFit fit = fit_landmark_isomap(X, {.n_landmarks = 20, .n_neighbors = 8});
  const Matrix placed = extend_geodesic(X, fit, {.n_neighbors = 8})->transform(fresh);
  const oracle::Fit scaled =
      oracle::classical_scaling(dataset::rows_of(dataset::rows_of(G, fit.anchors).transpose(), fit.anchors), 2);
  EXPECT_LT(oracle::difference_up_to_sign(placed, expected_coordinates(X, fresh, 8, fit.anchors, scaled, G)), 1e-9);
}

TEST(GeodesicExtension, PlacesNewSamplesWhereTheyBelong) {
  const SyntheticData train = make_swiss_roll(800, 2), test = make_swiss_roll(200, 3);
  const IsomapFit fit = fit_isomap(train.samples, {.n_neighbors = 7});
  const Matrix placed = extend_geodesic(train.samples, fit, {.n_neighbors = 7})->transform(test.samples);
  EXPECT_LT(oracle::procrustes(placed, test.truth.leftCols(2)), 0.02);
}

TEST(GeodesicExtension, PlacesAlikeWithAndWithoutTheTableOfTheFit) {
  const Matrix fresh = dataset::roll(150, 5);
  for (const Matrix& X : {dataset::roll(50), dataset::roll(300)}) {
    IsomapFit fit = fit_isomap(X);
    ASSERT_TRUE(fit.geodesics);
    const Matrix placed = extend_geodesic(X, fit)->transform(fresh);
    fit.geodesics = nullptr;
    const Extension map = extend_geodesic(X, fit);
    EXPECT_TRUE(dataset::same_bits(map->transform(fresh.topRows(1)), placed.topRows(1)));
    EXPECT_TRUE(dataset::same_bits(map->transform(fresh, {.n_threads = 4}), placed));
  }
}

// Many samples are placed in another order, so that neighbours share what is in the cache.
TEST(GeodesicExtension, PlacesManySamplesAsItPlacesFew) {
  const Matrix X = dataset::roll(4100);
  Matrix fresh = dataset::roll(4200, 5);
  const auto map = extend_geodesic(X, fit_isomap(X, {.n_neighbors = 8}), {});
  const Matrix together = map->transform(fresh, {.n_threads = 2});
  for (const Index begin : {0, 2000, 4100})
    EXPECT_TRUE(dataset::same_bits(together.middleRows(begin, 100), map->transform(fresh.middleRows(begin, 100))));
  const auto angles = extend_geodesic(X, fit_isomap(X, {.n_neighbors = 8, .metric = Metric::kCosine}), {});
  fresh.row(3000).setZero();
  try {
    (void)angles->transform(fresh);
    FAIL() << "a sample without a direction was placed";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("row 3000"), std::string::npos) << error.what();
  }
}

TEST(GeodesicExtension, IsOnlyApproximateIfSamplesWereLeftOut) {
  const Matrix X = dataset::blobs(50, 2, 3, 100).topRows(80);
  const IsomapFit fit = fit_isomap(X, {.n_neighbors = 6, .components = Components::kLargest});
  const auto map = extend_geodesic(X, fit, {.n_neighbors = 6});
  EXPECT_EQ(map->info().promise, TrainingPromise::kApproximate);
  EXPECT_LT((map->transform(X.topRows(50)) - fit.coordinates.topRows(50)).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_TRUE(map->transform(X).allFinite());
}

TEST(GeodesicExtension, HandlesDuplicates) {
  const Matrix X = dataset::repeated(dataset::roll(50), 3);
  const IsomapFit fit = fit_isomap(X, {.n_neighbors = 7});
  const auto map = extend_geodesic(X, fit, {.n_neighbors = 7});
  EXPECT_LT((map->transform(X) - fit.coordinates).cwiseAbs().maxCoeff(), 1e-8 * fit.coordinates.cwiseAbs().maxCoeff());
}

// The row of a new sample is that of the graph: all samples within the radius, however many.
TEST(GeodesicExtension, OnABallGraphJoinsANewSampleToAllWithinTheRadius) {
  const Matrix X = dataset::roll(120), fresh = dataset::roll(40, 5), D = oracle::distances(X, X);
  const double radius = 11;
  const Matrix adjacency = (D.array() <= radius).cast<double>() - Matrix::Identity(120, 120).array();
  const Matrix G = oracle::geodesics(D, adjacency);
  ASSERT_TRUE(G.allFinite());
  ASSERT_GT(adjacency.rowwise().sum().maxCoeff(), 8) << "more than the k nearest";
  const oracle::Fit scaled = oracle::classical_scaling(G, 2);
  const Matrix d = oracle::distances(fresh, X);
  Matrix expected = Matrix::Zero(40, 2);
  for (Index i = 0; i < 40; ++i)
    for (Index a = 0; a < 120; ++a) {
      double delta = std::numeric_limits<double>::infinity();
      for (Index j = 0; j < 120; ++j)
        if (d(i, j) <= radius) delta = std::min(delta, d(i, j) + G(j, a));
      const double mean = G.row(a).squaredNorm() / 120;
      for (Index c = 0; c < 2; ++c)
        expected(i, c) += 0.5 * scaled.coordinates(a, c) / scaled.eigenvalues[c] * (mean - delta * delta);
    }
  for (const int k : {2, 8, 30}) {
    const IsomapFit fit = fit_isomap(X, {.graph = GraphKind::kBall, .n_neighbors = k, .radius = radius});
    const Extension map = extend_geodesic(X, fit);
    EXPECT_LT(oracle::difference_up_to_sign(map->transform(fresh), expected), 1e-9) << k;
    EXPECT_EQ(map->info().promise, TrainingPromise::kExact);
    EXPECT_LT((map->transform(X) - fit.coordinates).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(GeodesicExtension, NamesSamplesOutsideEveryBall) {
  const Matrix X = dataset::roll(80);
  for (const Metric metric : {Metric::kEuclidean, Metric::kCosine}) {
    const IsomapFit fit = fit_isomap(X, {.graph = GraphKind::kBall, .metric = metric});
    const Extension map = extend_geodesic(X, fit);
    EXPECT_LT((map->transform(X) - fit.coordinates).norm(), 1e-6 * fit.coordinates.norm());
    if (metric == Metric::kCosine) continue;
    Report report;
    EXPECT_TRUE(map->transform((X.topRows(2).array() + 1000).matrix(), {}, report).allFinite());
    EXPECT_TRUE(report.has_note("outside_every_ball"));
  }
}

}  // namespace
}  // namespace foldout
