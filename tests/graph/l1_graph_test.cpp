// SPDX-License-Identifier: Apache-2.0
// The graph in which every sample is joined to those that it is reconstructed from.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/l1/l1_coding.h"
#include "graph/affinity.h"
#include "graph/components.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

// Positive entries: like images.
Matrix images(Index n, Index d, std::uint64_t seed) { return Rng(seed).uniform_matrix(n, d).array() + 0.1; }

AffinityGraph l1_graph(const Matrix& X, Report& report, Components components = Components::kConnect,
                       bool self_loops = false, int threads = 1) {
  return build_affinity_graph(X, {.graph = GraphKind::kL1, .self_loops = self_loops, .components = components},
                              {.n_threads = threads}, report);
}

AffinityGraph l1_graph(const Matrix& X) {
  Report unused;
  return l1_graph(X, unused);
}

// (|A| + |A|ᵀ)/2 with row i of A the code of sample i over the others.
Matrix by_definition(const Matrix& X) {
  Matrix unit = X;
  for (Index i = 0; i < X.rows(); ++i)
    if (X.row(i).norm() > 0) unit.row(i).normalize();
  const L1Dictionary dictionary(unit);
  Matrix A = Matrix::Zero(X.rows(), X.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    const Matrix& atoms = dictionary.atoms();
    const L1Code code = dictionary.code({atoms.row(i).data(), static_cast<std::size_t>(X.cols())}, i);
    for (std::size_t j = 0; j < code.atoms.size(); ++j) A(i, code.atoms[j]) = std::abs(code.values[j]);
  }
  return (A + A.transpose()) / 2;
}

TEST(L1Graph, IsTheCodesOverTheOthersMadeSymmetric) {
  for (const Matrix& X : {images(40, 12, 1), images(25, 60, 2), Matrix(dataset::lifted_roll(50, 15).array() + 3)}) {
    Report report;
    const AffinityGraph graph = l1_graph(X, report, Components::kError);
    const Matrix W(graph.sparse);
    EXPECT_EQ(W, Matrix(W.transpose()));
    EXPECT_EQ(W.diagonal().norm(), 0);
    EXPECT_TRUE((W.array() >= 0).all());
    EXPECT_LT((W - by_definition(X)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(graph.width, 0);
    EXPECT_FALSE(graph.rule.reproduces_rows);
    for (const char* figure : {"nonzeros_per_sample", "pivots_per_sample", "multiply_adds_per_sample", "largest_gap"})
      EXPECT_NE(report.find_figure(figure), nullptr) << figure;
    EXPECT_LE(*report.find_figure("largest_gap"), 1e-8);
    EXPECT_EQ(*report.find_figure("edges"), static_cast<double>(graph.sparse.nonZeros()) / 2);
  }
}

TEST(L1Graph, DoesNotDependOnTheLengthOfSamples) {
  Matrix X = images(30, 14, 3);
  const Matrix W(l1_graph(X).sparse);
  for (Index i = 0; i < X.rows(); ++i) X.row(i) *= std::ldexp(1.0, static_cast<int>(i % 7) - 3);
  EXPECT_EQ(Matrix(l1_graph(X).sparse), W);
}

TEST(L1Graph, JoinsDuplicates) {
  const Matrix X = dataset::repeated(images(12, 20, 4), 2);
  const Matrix W(l1_graph(X).sparse);
  for (Index i = 0; i < X.rows(); i += 2) EXPECT_NEAR(W(i, i + 1), 1, 1e-9) << "each is the code of the other";
}

TEST(L1Graph, HasSelfLoopsOnRequest) {
  const Matrix X = images(20, 9, 5);
  Report report;
  Matrix W(l1_graph(X, report, Components::kConnect, true).sparse);
  EXPECT_EQ(W.diagonal(), Vector(Vector::Ones(20)));
  W.diagonal().setZero();
  EXPECT_EQ(W, Matrix(l1_graph(X).sparse));
}

TEST(L1Graph, IsTheSameOnTwoThreads) {
  const Matrix X = images(60, 25, 6);
  Report one, two;
  EXPECT_TRUE(dataset::same_bits(l1_graph(X, one).sparse, l1_graph(X, two, Components::kConnect, false, 2).sparse));
  EXPECT_EQ(one.figures, two.figures);
}

// Two clouds in different coordinates, and samples that no other explains: one on a separate axis, one of length 0.
Matrix scattered() {
  Matrix X = Matrix::Zero(26, 14);
  X.block(0, 0, 14, 6) = images(14, 6, 7);
  X.block(14, 6, 10, 6) = images(10, 6, 8);
  X(24, 13) = 2;
  return X;
}

TEST(L1Graph, JoinsIsolatedSamplesAndReportsThem) {
  Report report;
  const AffinityGraph graph = l1_graph(scattered(), report);
  EXPECT_EQ(find_components(graph.sparse).count(), 1);
  ASSERT_TRUE(report.has_note("components_joined"));
  ASSERT_TRUE(report.has_note("l1_zero_codes"));
  std::string texts;
  for (const auto& note : report.notes) texts += note.text + "\n";
  EXPECT_TRUE(contains(texts, "rows 24, 25")) << texts;
  EXPECT_TRUE(contains(texts, "3 shortest bridges")) << texts;
  EXPECT_GT(graph.degrees().minCoeff(), 0);
  EXPECT_EQ(Matrix(graph.sparse), Matrix(Matrix(graph.sparse).transpose()));
}

TEST(L1Graph, KeepsTheLargestComponent) {
  Report report;
  const AffinityGraph graph = l1_graph(scattered(), report, Components::kLargest);
  ASSERT_EQ(graph.kept.size(), 14U);
  for (std::size_t i = 0; i < 14; ++i) EXPECT_EQ(graph.kept[i], static_cast<Index>(i));
  EXPECT_LT((Matrix(graph.sparse) - by_definition(scattered()).topLeftCorner(14, 14)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(report.has_note("components_left_out"));
}

TEST(L1Graph, IsRefusedIfDisconnectedOnRequest) {
  Report report;
  const auto text = message_of<InvalidArgument>([&] { (void)l1_graph(scattered(), report, Components::kError); });
  EXPECT_TRUE(contains(text, "4 components")) << text;
  EXPECT_TRUE(contains(text, "components=connect")) << text;
  EXPECT_FALSE(contains(text, "n_neighbors")) << "an L1 graph has none: " << text;
}

// Orthogonal axes do not explain each other: there is no edge.
TEST(L1Graph, OfOrthogonalSamplesHasOnlyBridges) {
  const Matrix X = 3 * Matrix::Identity(5, 5);
  Report report;
  const AffinityGraph graph = l1_graph(X, report);
  EXPECT_EQ(graph.sparse.nonZeros(), 8);
  EXPECT_EQ(find_components(graph.sparse).count(), 1);
  const auto text = message_of<InvalidArgument>([&] { (void)l1_graph(X, report, Components::kLargest); });
  EXPECT_FALSE(contains(text, "width")) << "an L1 graph has none: " << text;
}

TEST(L1Graph, HasLengthsForShortestPaths) {
  const Matrix X = images(30, 12, 9), D = oracle::distances(X, X);
  Report report;
  const DistanceGraph graph = build_distance_graph(X, {.graph = GraphKind::kL1}, {}, report);
  const Matrix W = by_definition(X);
  const Matrix expected = (W.array() > 0).select(D, 0.0);
  EXPECT_LT((Matrix(graph.lengths) - expected).cwiseAbs().maxCoeff(), 1e-12);
  const Matrix geodesics = oracle::geodesics(D, (W.array() > 0).cast<double>());
  const Matrix ours = fit_isomap(X, {.n_components = 3, .graph = GraphKind::kL1}).coordinates;
  EXPECT_LT(oracle::difference_up_to_sign(ours, oracle::classical_scaling(geodesics, 3).coordinates), 1e-7);
}

TEST(L1Graph, SupportsLaplacianEigenmapsAndDiffusionMaps) {
  const Matrix X = images(35, 12, 10), W = by_definition(X);
  const auto eigenmaps = fit_laplacian_eigenmaps(X, {.n_components = 3, .graph = GraphKind::kL1});
  EXPECT_LT((eigenmaps.eigenvalues - oracle::laplacian_eigenmaps(W, 3).eigenvalues).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(oracle::difference_up_to_sign(eigenmaps.coordinates, oracle::laplacian_eigenmaps(W, 3).coordinates), 1e-7);
  const auto diffusion = fit_diffusion_maps(X, {.n_components = 3, .graph = GraphKind::kL1});
  const DiffusionMapsOptions defaults;
  const Matrix K = defaults.self_loops ? Matrix(W + Matrix::Identity(35, 35)) : W;
  const auto expected = oracle::diffusion_maps(K, defaults.alpha, defaults.time, 3);
  EXPECT_LT(oracle::difference_up_to_sign(diffusion.coordinates, expected.coordinates), 1e-7);
}

}  // namespace
}  // namespace foldout
