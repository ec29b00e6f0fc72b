// SPDX-License-Identifier: Apache-2.0
// Coordinates whose eigenvalue is too small for the formula of Nyström are placed by another extension.
#include <gtest/gtest.h>

#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/nystrom.h"
#include "foldout/extend/rbf.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

Matrix columns(const Matrix& Y, const std::vector<Index>& picked) {
  return dataset::rows_of(Y.transpose(), picked).transpose();
}

// The fit of a full graph without self-loops, whose eigenvalues μ = 1 − λ descend to 0 and below.
struct NystromFallbacks : testing::Test {
  Matrix X = dataset::roll(120), fresh = dataset::roll(30, 2);
  LaplacianEigenmapsFit fit = fit_laplacian_eigenmaps(X, {.n_components = 30, .graph = GraphKind::kFull});
  Vector mu = 1 - fit.eigenvalues.array();

  [[nodiscard]] std::vector<Index> where(double least, bool above) const {
    std::vector<Index> found;
    for (Index k = 0; k < mu.size(); ++k)
      if ((mu[k] >= least) == above) found.push_back(k);
    return found;
  }
};

TEST_F(NystromFallbacks, PlaceOnlyTheCoordinatesBelowTheLeastEigenvalue) {
  const double least = 0.05;
  const std::vector<Index> large = where(least, true), small = where(least, false);
  ASSERT_GT(large.size(), 1U);
  ASSERT_GT(small.size(), 1U);
  const Matrix formula = extend_nystrom(X, fit, {.fallback = NystromFallback::kNone})->transform(fresh);
  const Matrix by_lle = extend_lle(X, fit.coordinates)->transform(fresh);
  const Matrix by_rbf = extend_rbf(X, fit.coordinates, {.ridge = 1e-3})->transform(fresh);
  for (const auto& [fallback, rest] : {std::pair{NystromFallback::kLle, by_lle}, {NystromFallback::kRbf, by_rbf}}) {
    const Extension mixed = extend_nystrom(X, fit, {.fallback = fallback, .min_eigenvalue = least});
    const Matrix placed = mixed->transform(fresh);
    EXPECT_LT((columns(placed, large) - columns(formula, large)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((columns(placed, small) - columns(rest, small)).norm(), 1e-6 * columns(rest, small).norm());
    EXPECT_EQ(mixed->info().name, "nystrom");
    EXPECT_EQ(mixed->info().promise, TrainingPromise::kApproximate);
    ASSERT_TRUE(mixed.report.has_note("nystrom_fallback"));
  }
}

// Where interpolation without a ridge overshoots.
TEST_F(NystromFallbacks, KeepPlacedSamplesWithinTheRangeOfTheTrainingSamples) {
  const double largest = fit.coordinates.cwiseAbs().maxCoeff();
  EXPECT_LT(extend_nystrom(X, fit)->transform(fresh).cwiseAbs().maxCoeff(), 1.5 * largest);
  EXPECT_GT(extend_rbf(X, fit.coordinates)->transform(fresh).cwiseAbs().maxCoeff(), 5 * largest);
}

TEST_F(NystromFallbacks, AreNotUsedIfAllEigenvaluesAreLarge) {
  const auto smooth = fit_laplacian_eigenmaps(X, {.n_components = 2});
  const Extension map = extend_nystrom(X, smooth);
  EXPECT_TRUE(map.report.notes.empty());
  const Extension formula = extend_nystrom(X, smooth, {.fallback = NystromFallback::kNone});
  EXPECT_TRUE(dataset::same_bits(map->transform(fresh), formula->transform(fresh)));
}

TEST_F(NystromFallbacks, PlaceEverythingIfNoEigenvalueIsLargeEnough) {
  const Extension map = extend_nystrom(X, fit, {.fallback = NystromFallback::kLle, .min_eigenvalue = 1.0});
  EXPECT_EQ(map->info().name, "lle");
  EXPECT_TRUE(dataset::same_bits(map->transform(fresh), extend_lle(X, fit.coordinates)->transform(fresh)));
}

// Where a sample's own row is reproduced, the formula interpolates and needs no fallback.
TEST_F(NystromFallbacks, LeaveExactMapsExact) {
  for (const GraphKind graph : {GraphKind::kFull, GraphKind::kBall}) {
    const auto exact = fit_laplacian_eigenmaps(X, {.n_components = 8, .graph = graph, .self_loops = true});
    const Extension map = extend_nystrom(X, exact);
    EXPECT_EQ(map->info().promise, TrainingPromise::kExact);
    EXPECT_LT((map->transform(X) - exact.coordinates).norm(), 1e-8 * exact.coordinates.norm());
  }
}

TEST_F(NystromFallbacks, HaveNoCodesInCommonWithTheFormula) {
  const Extension mixed = extend_nystrom(X, fit);
  EXPECT_FALSE(mixed->has_codes());
  const std::string text = message_of<InvalidArgument>([&] { (void)mixed->codes(fresh); });
  EXPECT_NE(text.find("fallback=none"), std::string::npos) << text;
}

}  // namespace
}  // namespace foldout
