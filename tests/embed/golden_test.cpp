// SPDX-License-Identifier: Apache-2.0
// Values of an independent prototype: see golden/README.md.
#include <gtest/gtest.h>

#include "foldout/core/choices.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "graph/neighborhoods.h"
#include "graph/reconstruction_weights.h"
#include "support/golden.h"
#include "support/oracles.h"

namespace foldout {
namespace {

TEST(LleGolden, WeightsGiveTheMatrix) {
  const Matrix X = golden("lle_samples"), M = golden("lle_matrix");
  Report report;
  const Matrix IW = reconstruction_residuals(X, find_neighborhoods(X, {.n_neighbors = 8}, {}, report), 1e-3);
  EXPECT_LT((IW.transpose() * IW - M).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(LleGolden, CoordinatesAndEigenvaluesAgree) {
  const Matrix X = golden("lle_samples");
  const Vector eigenvalues = golden("lle_eigenvalues").col(0);
  for (const auto solver : {EigenSolver::kDense, EigenSolver::kShiftInvert}) {
    const Embedding fit = fit_lle(X, {.n_components = 2, .n_neighbors = 8, .solver = solver});
    EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, golden("lle_coordinates")), 1e-7);
    EXPECT_LT((fit.eigenvalues - eigenvalues.segment(1, 2)).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(LaplacianEigenmapsGolden, CoordinatesAndEigenvaluesAgree) {
  const Matrix X = golden("le_samples"), Z = golden("le_coordinates");
  const Vector eigenvalues = golden("le_eigenvalues").col(0);
  const auto fit = fit_laplacian_eigenmaps(X, {.n_components = 23, .graph = GraphKind::kFull});
  EXPECT_NEAR(fit.width, 1.0372159048299376, 1e-14);
  EXPECT_LT((fit.eigenvalues - eigenvalues).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, Z), 1e-8);
  const auto two = fit_laplacian_eigenmaps(X, {.graph = GraphKind::kFull, .width = 1.0372159048299376});
  EXPECT_LT(oracle::difference_up_to_sign(two.coordinates, Z.leftCols(2)), 1e-10);
}

}  // namespace
}  // namespace foldout
