// SPDX-License-Identifier: Apache-2.0
// Explicit maps of samples whose neighbourhood graph is disconnected, and of ball graphs of a given radius.
#include <gtest/gtest.h>

#include <functional>

#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/project/lda.h"
#include "foldout/project/lpp.h"
#include "foldout/project/npe.h"
#include "foldout/project/nppe.h"
#include "foldout/project/olpp.h"
#include "foldout/project/onpp.h"
#include "project/textbook.h"
#include "support/errors.h"

namespace foldout {
namespace {

Matrix two_blobs() { return dataset::blobs(60, 2, 3, 100).topRows(85); }  // 60 samples and 25, far apart

using Fit = std::function<ProjectionFit(const Matrix&, Components)>;

std::vector<std::pair<std::string, Fit>> methods() {
  std::vector<std::pair<std::string, Fit>> all{
      {"lpp", [](const Matrix& X, Components c) { return fit_lpp(X, {}, {.n_neighbors = 8, .components = c}); }},
      {"kernel lpp",
       [](const Matrix& X, Components c) {
         return fit_lpp(X, {}, {.n_neighbors = 8, .features = FeatureKind::kKernel, .components = c});
       }},
      {"olpp", [](const Matrix& X, Components c) { return fit_olpp(X, {}, {.n_neighbors = 8, .components = c}); }},
      {"npe", [](const Matrix& X, Components c) { return fit_npe(X, {}, {.n_neighbors = 8, .components = c}); }},
      {"onpp", [](const Matrix& X, Components c) { return fit_onpp(X, {}, {.n_neighbors = 8, .components = c}); }},
      {"nppe",
       [](const Matrix& X, Components c) { return fit_nppe(X, {.n_neighbors = 8, .ridge = 1e-6, .components = c}); }}};
  for (const Preserve preserve :
       {Preserve::kLle, Preserve::kHlle, Preserve::kLtsa, Preserve::kLaplacian, Preserve::kIsomap})
    all.emplace_back("snppe", [preserve](const Matrix& X, Components c) {
      return fit_snppe(X, {.n_neighbors = 8, .preserve = preserve, .ridge = 1e-6, .components = c});
    });
  return all;
}

TEST(ExplicitMaps, JoinADisconnectedGraphOrRefuseIt) {
  for (const auto& [name, fit] : methods()) {
    EXPECT_TRUE(fit(two_blobs(), Components::kConnect).report.has_note("components_joined")) << name;
    const std::string text = message_of<InvalidArgument>([&] { (void)fit(two_blobs(), Components::kError); });
    EXPECT_TRUE(contains(text, "2 components of 60 and 25 samples")) << name << ": " << text;
  }
}

TEST(ExplicitMaps, OfTheLargestPartAreFittedToItAloneAndPlaceTheRest) {
  const Matrix X = two_blobs(), large = X.topRows(60);
  for (const auto& [name, fit] : methods()) {
    const ProjectionFit with = fit(X, Components::kLargest), alone = fit(large, Components::kConnect);
    EXPECT_TRUE(with.report.has_note("components_left_out")) << name;
    ASSERT_EQ(with.coordinates.rows(), 85);
    EXPECT_LT((with.coordinates.topRows(60) - alone.coordinates).norm(), 1e-9 * alone.coordinates.norm()) << name;
    EXPECT_TRUE(dataset::same_bits(with.coordinates, with.map->transform(X))) << name;
    EXPECT_TRUE(with.coordinates.allFinite()) << name;
  }
}

TEST(ExplicitMaps, SelectTheRidgeEvenIfAPartOfTheSamplesIsDisconnected) {
  const Matrix X = dataset::roll(60);
  EXPECT_NO_THROW((void)fit_snppe(X, {.n_neighbors = 8, .components = Components::kError}));
}

class BallGraph : public Textbook {};

TEST_F(BallGraph, OfLppAndOlppHasTheGivenRadius) {
  const Matrix D = oracle::distances(X_, X_);
  const double radius = 14;
  const Matrix W = (D.array() <= radius).cast<double>() - Matrix::Identity(80, 80).array();
  ASSERT_GT(W.rowwise().sum().minCoeff(), 0);
  const ProjectionFit fit = fit_lpp(
      X_, {},
      {.n_components = 2, .graph = GraphKind::kBall, .weights = EdgeWeights::kBinary, .ridge = 0, .radius = radius});
  EXPECT_EQ(*fit.report.find_figure("radius"), radius);
  expect_solution(fit, centered_.transpose() * laplacian(W) * centered_, centered_.transpose() * degrees(W) * centered_,
                  false);
  EXPECT_EQ(*fit_olpp(X_, {}, {.graph = GraphKind::kBall, .radius = radius}).report.find_figure("radius"), radius);
}

TEST_F(Textbook, LdaRefusesASpaceForNeighboursThatItDoesNotHave) {
  const std::string text = message_of<InvalidArgument>(
      [&] { (void)fit_lda(X_, labels_, {.features = FeatureKind::kKernel, .graph_space = GraphSpace::kFeatures}); });
  EXPECT_TRUE(contains(text, "graph_space")) << text;
  EXPECT_TRUE(contains(text, "remove it")) << text;
}

}  // namespace
}  // namespace foldout
