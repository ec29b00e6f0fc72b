// SPDX-License-Identifier: Apache-2.0
// Embeddings of samples whose neighbourhood graph is disconnected.
#include <gtest/gtest.h>

#include "core/rows.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "foldout/embed/ltsa.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

Matrix two_blobs() {  // 60 samples and 25, far apart
  Matrix X = dataset::blobs(60, 2, 3, 100);
  return X.topRows(85);
}

TEST(Embedding, RefusesADisconnectedGraphOnRequest) {
  const std::string text = message_of<InvalidArgument>(
      [] { (void)fit_laplacian_eigenmaps(two_blobs(), {.n_neighbors = 8, .components = Components::kError}); });
  EXPECT_TRUE(contains(text, "2 components of 60 and 25 samples")) << text;
  EXPECT_TRUE(contains(text, "raise n_neighbors (now 8)")) << text;
}

TEST(Embedding, JoinsPartsAndReportsIt) {
  const auto fit = fit_laplacian_eigenmaps(two_blobs(), {.n_neighbors = 8});
  EXPECT_TRUE(fit.report.has_note("components_joined"));
  EXPECT_EQ(*fit.report.find_figure("components"), 2);
  // The first coordinate separates the parts, as the smallest cut does.
  EXPECT_LT(fit.coordinates.col(0).head(60).maxCoeff() * fit.coordinates.col(0).tail(25).minCoeff(), 0);
}

TEST(Embedding, EmbedsTheLargestPartAsIfItWereAlone) {
  const Matrix X = two_blobs(), large = X.topRows(60);
  const auto with = fit_laplacian_eigenmaps(X, {.n_neighbors = 8, .components = Components::kLargest});
  const auto alone = fit_laplacian_eigenmaps(large, {.n_neighbors = 8});
  EXPECT_TRUE(with.report.has_note("components_left_out"));
  ASSERT_EQ(with.coordinates.rows(), 85);
  EXPECT_TRUE(with.coordinates.allFinite());
  EXPECT_TRUE(dataset::same_bits(with.coordinates.topRows(60), alone.coordinates));
  const Embedding lle = fit_lle(X, {.n_neighbors = 8, .components = Components::kLargest});
  EXPECT_TRUE(dataset::same_bits(lle.coordinates.topRows(60), fit_lle(large, {.n_neighbors = 8}).coordinates));
  const IsomapFit isomap = fit_isomap(X, {.n_neighbors = 8, .components = Components::kLargest});
  EXPECT_EQ(isomap.kept.size(), 60U);
  EXPECT_TRUE(dataset::same_bits(isomap.coordinates.topRows(60), fit_isomap(large, {.n_neighbors = 8}).coordinates));
}

TEST(Embedding, KeepsTheOrderOfSamplesWhenPartsAreLeftOut) {
  const Matrix X = two_blobs();
  const std::vector<Index> order = dataset::random_order(85, 3);
  const LtsaOptions options{.n_neighbors = 8, .components = Components::kLargest};
  const Matrix straight = fit_ltsa(X, options).coordinates;
  const Matrix shuffled = fit_ltsa(dataset::rows_of(X, order), options).coordinates;
  EXPECT_LT(oracle::difference_up_to_sign(shuffled, dataset::rows_of(straight, order)), 1e-8);
}

TEST(Isomap, BridgesPartsAtTheirTrueDistance) {
  const Matrix X = two_blobs(), D = oracle::distances(X, X);
  Matrix A = oracle::adjacency(oracle::nearest_others(X, 8), false);
  Index from = 0, to = 0;
  const double gap = D.block(0, 60, 60, 25).minCoeff(&from, &to);
  A(from, 60 + to) = A(60 + to, from) = 1;
  const IsomapFit fit = fit_isomap(X, {.n_neighbors = 8});
  EXPECT_NEAR(fit.lengths.coeff(from, 60 + to), gap, 1e-12);
  const oracle::Fit expected = oracle::classical_scaling(oracle::geodesics(D, A), 2);
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
}

}  // namespace
}  // namespace foldout
