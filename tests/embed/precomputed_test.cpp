// SPDX-License-Identifier: Apache-2.0
// Methods fitted to a matrix of distances or kernel values are those fitted to the samples.
#include <gtest/gtest.h>

#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/kpca.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/mds.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/nystrom.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

class Precomputed : public testing::Test {
 protected:
  const Matrix X_ = dataset::roll(160), fresh_ = dataset::roll(50, 2);
  const Matrix D_ = oracle::distances(X_, X_), rows_ = oracle::distances(fresh_, X_);

  static void expect_equal(const Matrix& A, const Matrix& B) {
    EXPECT_LT((A - B).cwiseAbs().maxCoeff(), 1e-8 * B.cwiseAbs().maxCoeff());
  }
};

TEST_F(Precomputed, MdsOfDistancesIsMdsOfTheSamples) {
  const auto samples = fit_mds(X_, {.n_components = 3});
  const auto given = fit_mds(D_, {.n_components = 3, .metric = Metric::kPrecomputed});
  expect_equal(given.coordinates, samples.coordinates);
  expect_equal(given.map->transform(rows_), samples.map->transform(fresh_));
  expect_equal(given.map->transform(D_), given.coordinates);
  EXPECT_EQ(given.map->samples(), nullptr);
}

TEST_F(Precomputed, IsomapOfDistancesIsIsomapOfTheSamples) {
  for (const auto graph : {GraphKind::kKnn, GraphKind::kMutual, GraphKind::kBall}) {
    IsomapOptions o{.graph = graph, .n_neighbors = 12};
    const auto samples = fit_isomap(X_, o);
    o.metric = Metric::kPrecomputed;
    const auto given = fit_isomap(D_, o);
    expect_equal(given.coordinates, samples.coordinates);
    const auto map = extend_geodesic(D_, given);
    expect_equal(map->transform(rows_), extend_geodesic(X_, samples)->transform(fresh_));
    expect_equal(extend_nystrom(D_, given)->transform(rows_), map->transform(rows_));
    EXPECT_EQ(map->samples(), nullptr);
  }
}

TEST_F(Precomputed, LaplacianEigenmapsOfDistancesIsThatOfTheSamples) {
  for (const auto graph : {GraphKind::kKnn, GraphKind::kBall, GraphKind::kFull})
    for (const auto weights : {EdgeWeights::kHeat, EdgeWeights::kBinary}) {
      LaplacianEigenmapsOptions o{.graph = graph, .weights = weights, .self_loops = true};
      if (graph == GraphKind::kFull && weights == EdgeWeights::kBinary) continue;  // has no directions
      const auto samples = fit_laplacian_eigenmaps(X_, o);
      o.metric = Metric::kPrecomputed;
      const auto given = fit_laplacian_eigenmaps(D_, o);
      expect_equal(given.coordinates, samples.coordinates);
      const auto map = extend_nystrom(D_, given);
      expect_equal(map->transform(rows_), extend_nystrom(X_, samples)->transform(fresh_));
      EXPECT_EQ(map->samples(), nullptr);
      EXPECT_LT((map->codes(rows_) - extend_nystrom(X_, samples)->codes(fresh_)).norm(), 1e-9);
    }
}

TEST_F(Precomputed, DiffusionMapsOfDistancesAreThoseOfTheSamples) {
  DiffusionMapsOptions o{.n_neighbors = 12, .width_rule = WidthRule::kPairs};
  const auto samples = fit_diffusion_maps(X_, o);
  o.metric = Metric::kPrecomputed;
  const auto given = fit_diffusion_maps(D_, o);
  EXPECT_NEAR(given.width, samples.width, 1e-10 * samples.width);
  expect_equal(given.coordinates, samples.coordinates);
  expect_equal(extend_nystrom(D_, given)->transform(rows_), extend_nystrom(X_, samples)->transform(fresh_));
}

TEST_F(Precomputed, KernelPcaOfAKernelMatrixIsThatOfTheSamples) {
  const auto gaussian = [](const Matrix& distances) { return Matrix((-distances.cwiseAbs2() / 50).array().exp()); };
  const auto expect_same = [&](const Matrix& K, const Matrix& new_rows, const KpcaOptions& options) {
    const auto samples = fit_kpca(X_, options);
    const auto given = fit_kpca(K, {.n_components = options.n_components, .kernel = KernelKind::kPrecomputed});
    expect_equal(given.coordinates, samples.coordinates);
    expect_equal(given.map->transform(new_rows), samples.map->transform(fresh_));
    EXPECT_EQ(given.map->samples(), nullptr);
  };
  expect_same(X_ * X_.transpose(), fresh_ * X_.transpose(), {.kernel = KernelKind::kLinear});
  expect_same(gaussian(D_), gaussian(rows_), {.n_components = 5, .width = 50.0});
}

// Distances that another program computed are symmetric up to rounding.
TEST_F(Precomputed, ForgivesRoundingErrors) {
  Matrix D = D_;
  D.triangularView<Eigen::StrictlyUpper>() = D * (1 + 1e-12);
  D.diagonal().setConstant(1e-9);
  expect_equal(fit_isomap(D, {.metric = Metric::kPrecomputed}).coordinates, fit_isomap(X_).coordinates);
}

TEST_F(Precomputed, NamesTheEntryThatIsNoDistance) {
  const auto message = [&](const auto& change) {
    Matrix D = D_;
    change(D);
    return message_of<InvalidArgument>([&] { (void)fit_isomap(D, {.metric = Metric::kPrecomputed}); });
  };
  const auto expect_words = [](const std::string& text, const std::string& a, const std::string& b) {
    EXPECT_TRUE(contains(text, "isomap: ") && contains(text, a) && contains(text, b)) << text;
  };
  expect_words(message([](Matrix& D) { D(3, 5) = -2; }), "row 3, column 5 is -2", "negative");
  expect_words(message([](Matrix& D) { D(7, 7) = 1; }), "row 7, column 7 is 1", "must be 0");
  expect_words(message([](Matrix& D) { D(9, 4) += 1; }), "row 9, column 4", "symmetric");
  expect_words(message([](Matrix& D) { D = D.leftCols(100).eval(); }), "160 rows and 100 columns", "square");
  expect_words(message([](Matrix& D) { D(2, 1) = std::nan(""); }), "row 2, column 1 is nan", "finite");
  const auto kernel = message_of<InvalidArgument>([&] {
    Matrix K = X_ * X_.transpose();
    K(6, 2) += 10;
    (void)fit_kpca(K, {.kernel = KernelKind::kPrecomputed});
  });
  EXPECT_TRUE(contains(kernel, "kpca: kernel=precomputed needs a symmetric matrix, but row 6, column 2")) << kernel;
}

TEST_F(Precomputed, RefusesWhatNeedsTheSamples) {
  const auto metric = Metric::kPrecomputed;
  const auto expect_words = [](const std::function<void()>& call, const std::string& a, const std::string& b) {
    const auto text = message_of<InvalidArgument>(call);
    EXPECT_TRUE(contains(text, a) && contains(text, b)) << text;
  };
  expect_words([&] { (void)fit_laplacian_eigenmaps(D_, {.graph = GraphKind::kL1, .metric = metric}); }, "graph=l1",
               "knn");
  expect_words([&] { (void)fit_laplacian_eigenmaps(D_, {.weights = EdgeWeights::kCosine, .metric = metric}); },
               "weights=cosine", "heat");
  expect_words([&] { (void)fit_isomap(D_, {.metric = metric, .components = Components::kLargest}); },
               "components=largest", "connect");
  expect_words([&] { (void)fit_landmark_isomap(D_, {.metric = metric}); }, "landmark_isomap: metric = precomputed",
               "allowed: euclidean");
}

}  // namespace
}  // namespace foldout
