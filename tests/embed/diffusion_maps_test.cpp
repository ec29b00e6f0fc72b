// SPDX-License-Identifier: Apache-2.0
#include "foldout/embed/diffusion_maps.h"

#include <gtest/gtest.h>

#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

void expect_fit(const DiffusionMapsFit& fit, const oracle::Fit& expected) {
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
  EXPECT_LT((fit.eigenvalues - expected.eigenvalues).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(DiffusionMaps, AreEigenvectorsOfTheRandomWalk) {
  const Matrix X = dataset::roll(160), D = oracle::distances(X, X);
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 10), false);
  for (const double alpha : {0.0, 0.5, 1.0})
    for (const int time : {0, 1, 5}) {
      const auto fit = fit_diffusion_maps(X, {.n_components = 3, .alpha = alpha, .time = time});
      const Matrix K = oracle::heat(D, A, fit.width) + Matrix::Identity(160, 160);
      expect_fit(fit, oracle::diffusion_maps(K, alpha, time, 3));
      EXPECT_LT((fit.density - Vector(K.rowwise().sum())).cwiseAbs().maxCoeff(), 1e-12);
    }
}

TEST(DiffusionMaps, SupportTheFullGraph) {
  const Matrix X = dataset::roll(150);
  const auto fit = fit_diffusion_maps(X, {.n_components = 4, .graph = GraphKind::kFull, .width = 40.0});
  const Matrix K = oracle::heat(oracle::distances(X, X), Matrix::Ones(150, 150), 40.0);
  expect_fit(fit, oracle::diffusion_maps(K, 1, 1, 4));
}

TEST(DiffusionMaps, WorkOnSparseGraphsThatAreNotSmall) {
  const Matrix X = dataset::roll(300);
  const Matrix A = oracle::adjacency(oracle::nearest_others(X, 10), false);
  for (const auto solver : {EigenSolver::kAuto, EigenSolver::kLanczos}) {
    const auto fit = fit_diffusion_maps(X, {.n_components = 2, .solver = solver});
    const Matrix K = oracle::heat(oracle::distances(X, X), A, fit.width) + Matrix::Identity(300, 300);
    expect_fit(fit, oracle::diffusion_maps(K, 1, 1, 2));
  }
}

TEST(DiffusionMaps, AreLaplacianEigenmapsWithoutNormalisationAndTime) {
  const Matrix X = dataset::roll(150);
  const auto walk = fit_diffusion_maps(X, {.alpha = 0, .time = 0, .self_loops = false});
  const auto le = fit_laplacian_eigenmaps(X);
  const Matrix scaled = le.coordinates * std::sqrt(le.degrees.sum());
  EXPECT_LT(oracle::difference_up_to_sign(walk.coordinates, scaled), 1e-8);
}

TEST(DiffusionMaps, RefuseParametersOutOfRange) {
  const Matrix X = dataset::roll(40);
  EXPECT_EQ(message_of<InvalidArgument>([&] { (void)fit_diffusion_maps(X, {.alpha = 1.5}); }),
            "diffusion_maps: alpha = 1.5 must be 0 … 1");
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)fit_diffusion_maps(X, {.time = -1}); }), "time = -1"));
}

}  // namespace
}  // namespace foldout
