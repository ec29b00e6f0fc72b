// SPDX-License-Identifier: Apache-2.0
#include "foldout/embed/isomap.h"

#include <gtest/gtest.h>

#include <set>

#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/data/synthetic.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

Matrix knn_geodesics(const Matrix& X, Index k, bool mutual = false) {
  return oracle::geodesics(oracle::distances(X, X), oracle::adjacency(oracle::nearest_others(X, k), mutual));
}

void expect_fit(const Embedding& fit, const oracle::Fit& expected) {
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
  for (Index c = 0; c < expected.eigenvalues.size(); ++c)
    EXPECT_NEAR(fit.eigenvalues[c], expected.eigenvalues[c], 1e-10 * expected.eigenvalues[0]);
}

TEST(Isomap, ScalesTheGeodesicDistances) {
  const Matrix X = dataset::roll(200);
  const oracle::Fit expected = oracle::classical_scaling(knn_geodesics(X, 10), 3);
  for (const auto solver : {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kLanczos})
    expect_fit(fit_isomap(X, {.n_components = 3, .solver = solver}), expected);
}

TEST(Isomap, SupportsBallsAndMutualNeighbors) {
  const Matrix X = dataset::roll(150), D = oracle::distances(X, X);
  const Matrix ball = (D.array() <= 9.0).cast<double>();
  expect_fit(fit_isomap(X, {.graph = GraphKind::kBall, .radius = 9.0, .components = Components::kError}),
             oracle::classical_scaling(oracle::geodesics(D, ball), 2));
  const Matrix Y = dataset::lifted_roll(150, 5);
  expect_fit(fit_isomap(Y, {.graph = GraphKind::kMutual, .n_neighbors = 14, .components = Components::kError}),
             oracle::classical_scaling(knn_geodesics(Y, 14, true), 2));
}

TEST(Isomap, IsClassicalScalingWhenAllAreNeighbors) {
  const Matrix X = dataset::roll(60);
  expect_fit(fit_isomap(X, {.n_neighbors = 59}), oracle::classical_scaling(oracle::distances(X, X), 2));
}

TEST(Isomap, UnrollsTheRoll) {
  const SyntheticData data = make_swiss_roll(600, 2);
  EXPECT_LT(oracle::procrustes(fit_isomap(data.samples, {.n_neighbors = 8}).coordinates, data.truth.leftCols(2)), 0.02);
}

TEST(Isomap, ReachesDuplicatesAtNoCost) {
  const Matrix X = dataset::repeated(dataset::roll(60), 3);
  expect_fit(fit_isomap(X, {.n_neighbors = 12}), oracle::classical_scaling(knn_geodesics(X, 12), 2));
}

TEST(Isomap, RefusesATableThatDoesNotFitIntoMemory) {
  const std::string text =
      message_of<InvalidArgument>([&] { (void)fit_isomap(dataset::roll(100), {}, {.memory_limit = 1000}); });
  EXPECT_TRUE(contains(text, "80.0 kB")) << text;
  EXPECT_TRUE(contains(text, "landmark_isomap")) << text;
}

TEST(Isomap, HasNoFullGraph) {
  EXPECT_THROW((void)fit_isomap(dataset::roll(30), {.graph = GraphKind::kFull}), InvalidArgument);
}

TEST(LandmarkIsomap, PlacesSamplesByTheirDistancesToLandmarks) {
  const Matrix X = dataset::roll(200), G = knn_geodesics(X, 10);
  for (const auto choice : {LandmarkChoice::kMaxMin, LandmarkChoice::kRandom}) {
    const IsomapFit fit =
        fit_landmark_isomap(X, {.n_components = 2, .n_landmarks = 30, .landmarks = choice, .seed = 4});
    ASSERT_EQ(fit.anchors.size(), 30U);
    EXPECT_EQ(std::set<Index>(fit.anchors.begin(), fit.anchors.end()).size(), 30U);
    expect_fit(fit, oracle::landmark_isomap(G, fit.anchors, 2));
  }
}

TEST(LandmarkIsomap, ChoosesLandmarksFarFromEachOther) {
  const Matrix X = dataset::roll(150), G = knn_geodesics(X, 10);
  const IsomapFit fit = fit_landmark_isomap(X, {.n_landmarks = 12, .seed = 3});
  for (std::size_t l = 1; l < fit.anchors.size(); ++l) {
    Vector nearest = G.row(fit.anchors[0]);
    for (std::size_t m = 1; m < l; ++m) nearest = nearest.cwiseMin(Vector(G.row(fit.anchors[m])));
    EXPECT_NEAR(nearest[fit.anchors[l]], nearest.maxCoeff(), 1e-9);
  }
}

TEST(LandmarkIsomap, IsIsomapWhenEverySampleIsALandmark) {
  const Matrix X = dataset::roll(120);
  const IsomapFit all = fit_landmark_isomap(X, {.n_landmarks = 120}), isomap = fit_isomap(X);
  EXPECT_LT(oracle::difference_up_to_sign(all.coordinates, isomap.coordinates), 1e-8);
}

TEST(LandmarkIsomap, UsesAHundredLandmarksByDefault) {
  EXPECT_EQ(fit_landmark_isomap(dataset::roll(150)).anchors.size(), 100U);
  EXPECT_EQ(fit_landmark_isomap(dataset::roll(80)).anchors.size(), 80U);
  EXPECT_EQ(fit_landmark_isomap(dataset::lifted_roll(300, 12), {.n_components = 11}).anchors.size(), 120U);
}

TEST(LandmarkIsomap, RefusesTooManyOrTooFewLandmarks) {
  const Matrix X = dataset::roll(50);
  for (const int count : {2, 51}) {
    const std::string text = message_of<InvalidArgument>([&] { (void)fit_landmark_isomap(X, {.n_landmarks = count}); });
    EXPECT_TRUE(contains(text, "n_landmarks = " + std::to_string(count))) << text;
  }
}

}  // namespace
}  // namespace foldout
