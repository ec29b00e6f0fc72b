// SPDX-License-Identifier: Apache-2.0
// The methods with each metric, against dense textbook solutions.
#include <gtest/gtest.h>

#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "foldout/embed/ltsa.h"
#include "foldout/embed/mds.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

class ByMetric : public testing::TestWithParam<Metric> {
 protected:
  ByMetric()
      : X_(dataset::lifted_roll(180, 8).array() + 3),
        D_(oracle::distances(X_, X_, GetParam())),
        table_(oracle::nearest_others(X_, 9, GetParam())),
        A_(oracle::adjacency(table_, false)) {}

  Matrix X_, D_;
  NeighborTable table_;
  Matrix A_;
};

TEST_P(ByMetric, MdsPreservesItsDistances) {
  const auto fit = fit_mds(X_, {.n_components = 3, .metric = GetParam()});
  const oracle::Fit expected = oracle::classical_scaling(D_, 3);
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
  EXPECT_LT((fit.map->transform(X_) - fit.coordinates).cwiseAbs().maxCoeff(),
            1e-8 * fit.coordinates.cwiseAbs().maxCoeff());
}

TEST_P(ByMetric, IsomapMeasuresItsEdges) {
  const auto fit = fit_isomap(X_, {.n_neighbors = 9, .metric = GetParam(), .components = Components::kError});
  const oracle::Fit expected = oracle::classical_scaling(oracle::geodesics(D_, A_), 2);
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
}

TEST_P(ByMetric, LaplacianEigenmapsWeighsItsEdges) {
  for (const auto graph : {GraphKind::kKnn, GraphKind::kFull}) {
    const auto fit = fit_laplacian_eigenmaps(
        X_, {.graph = graph, .n_neighbors = 9, .metric = GetParam(), .components = Components::kError});
    const Matrix all = Matrix::Ones(180, 180) - Matrix::Identity(180, 180);
    const Matrix& edges = graph == GraphKind::kFull ? all : A_;
    EXPECT_NEAR(fit.width, edges.cwiseProduct(D_.cwiseAbs2()).sum() / edges.sum(), 1e-12 * fit.width);
    const oracle::Fit expected = oracle::laplacian_eigenmaps(oracle::heat(D_, edges, fit.width), 2);
    EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
  }
}

TEST_P(ByMetric, TheWidthOfAllPairsIsTheirMean) {
  const auto fit =
      fit_laplacian_eigenmaps(X_, {.n_neighbors = 9, .width_rule = WidthRule::kPairs, .metric = GetParam()});
  EXPECT_NEAR(fit.width, D_.squaredNorm() / (180.0 * 179.0), 1e-12 * fit.width);
}

TEST_P(ByMetric, DiffusionMapsWalkOnItsEdges) {
  const auto fit = fit_diffusion_maps(X_, {.n_neighbors = 9, .metric = GetParam(), .components = Components::kError});
  Matrix K = oracle::heat(D_, A_, fit.width);
  K.diagonal().setOnes();
  const oracle::Fit expected = oracle::diffusion_maps(K, 1, 1, 2);
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-7);
}

// The metric determines which samples are neighbours; the local fit is the same.
TEST_P(ByMetric, LocalMethodsUseItsNeighbors) {
  const Matrix lle = oracle::bottom(oracle::lle_matrix(X_, table_, 1e-3), 2).coordinates;
  const Matrix ltsa = oracle::bottom(oracle::ltsa_matrix(X_, table_, 2, true), 2).coordinates;
  EXPECT_LT(oracle::subspace_gap(fit_lle(X_, {.n_neighbors = 9, .metric = GetParam()}).coordinates, lle), 1e-5);
  EXPECT_LT(oracle::subspace_gap(fit_ltsa(X_, {.n_neighbors = 9, .metric = GetParam()}).coordinates, ltsa), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Metrics, ByMetric,
                         testing::Values(Metric::kEuclidean, Metric::kCosine, Metric::kCorrelation, Metric::kManhattan,
                                         Metric::kChebyshev),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(Metrics, OfLocalMethodsAreNotPrecomputed) {
  const auto text =
      message_of<InvalidArgument>([] { (void)fit_lle(Matrix::Identity(20, 20), {.metric = Metric::kPrecomputed}); });
  EXPECT_TRUE(contains(text, "lle: metric = precomputed") && contains(text, "isomap, mds")) << text;
}

}  // namespace
}  // namespace foldout
