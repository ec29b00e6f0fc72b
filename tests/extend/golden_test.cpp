// SPDX-License-Identifier: Apache-2.0
// Placements of an independent prototype: see golden/README.md.
#include "support/golden.h"

#include <gtest/gtest.h>

#include "extend/makers.h"
#include "foldout/core/choices.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/extend/elm.h"
#include "foldout/extend/kernel_extrapolation.h"
#include "foldout/extend/linear.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/lvm.h"
#include "foldout/extend/nystrom.h"
#include "foldout/extend/rbf.h"
#include "foldout/extend/sparse.h"
#include "graph/affinity.h"
#include "maps/feature_map.h"
#include "support/oracles.h"

namespace foldout {
namespace {

class PlacedGolden : public testing::Test {
 protected:
  const Matrix X_ = golden("le_samples"), new_ = golden("le_new"), Z_ = golden("le_coordinates").leftCols(5);
  const LaplacianEigenmapsFit fit_ = fit_laplacian_eigenmaps(X_, {.n_components = 5, .graph = GraphKind::kFull});

  void expect_placed(const OutOfSampleMap& map, const std::string& name, double tolerance = 1e-12) const {
    const Matrix placed = turned(map.transform(new_), fit_.coordinates, Z_);
    EXPECT_LT((placed - golden("le_placed_" + name)).cwiseAbs().maxCoeff(), tolerance) << name;
  }
};

TEST_F(PlacedGolden, BySparseCodes) { expect_placed(*extend_sparse(X_, fit_.coordinates), "sr"); }

TEST_F(PlacedGolden, ByThreeNeighbours) { expect_placed(*extend_lvm(X_, fit_.coordinates), "lvm3"); }

TEST_F(PlacedGolden, ByALinearMap) {
  expect_placed(*extend_linear(X_, fit_.coordinates, {.intercept = false, .ridge = 0.0}), "lin");
}

TEST_F(PlacedGolden, ByRadialBasisFunctions) {
  expect_placed(*extend_rbf(X_, fit_.coordinates, {.ridge = 0, .intercept = false}), "rbf");
}

TEST_F(PlacedGolden, ByNystrom) {
  Report report;
  expect_placed(*extend_nystrom(X_, fit_, {.fallback = NystromFallback::kNone}), "nys");
}

TEST_F(PlacedGolden, ByNodesOfAnElm) {
  const Matrix A = golden("elm_nodes");
  RandomNodes nodes{.activation = Activation::kSigmoid,
                    .A = A,
                    .b = golden("elm_bias").col(0),
                    .center = Vector::Zero(6),
                    .scale = 1,
                    .direct_links = false};
  const Matrix H = random_node_features(nodes)->apply(X_);
  // The prototype's ridge is absolute, 10⁻³ n; ours is relative to trace/rank.
  const double ridge = 1e-3 * 24 / (H.squaredNorm() / 12);
  Report report;
  const Matrix ours = fit_.coordinates.leftCols(3), theirs = Z_.leftCols(3);
  const auto map = train_output_layer(X_, ours, nodes, ridge);
  EXPECT_LT((turned(map->transform(new_), ours, theirs) - golden("elm_placed")).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(LlePlacedGolden, ByKernelExtrapolationAndReconstructionWeights) {
  const Matrix X = golden("lle_samples"), Y = golden("lle_coordinates"), fresh = golden("lle_new");
  const auto kernel = extend_kernel_extrapolation(X, Y, {.width = 200.0, .tolerance = 1e-8, .intercept = false});
  EXPECT_LT(oracle::difference_up_to_sign(kernel->transform(fresh), golden("lle_placed_ke")), 1e-7);
  const auto weights = extend_lle(X, Y, {.n_neighbors = 8});
  EXPECT_LT(oracle::difference_up_to_sign(weights->transform(fresh), golden("lle_placed_lle")), 1e-9);
}

TEST(L1GraphGolden, WeightsAndEigenvaluesAgree) {
  const Matrix X = golden("le_samples");
  Report report;
  const AffinityGraph graph = build_affinity_graph(X, {.graph = GraphKind::kL1}, {}, report);
  EXPECT_LT((Matrix(graph.sparse) - golden("l1_graph")).cwiseAbs().maxCoeff(), 1e-9);
  const auto fit = fit_laplacian_eigenmaps(X, {.n_components = 23, .graph = GraphKind::kL1});
  EXPECT_LT((fit.eigenvalues - golden("l1_graph_eigenvalues").col(0)).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace foldout
