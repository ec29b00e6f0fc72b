// SPDX-License-Identifier: Apache-2.0
// LLE, Hessian LLE and LTSA: the bottom eigenvectors of a sum over neighbourhoods.
#include <gtest/gtest.h>

#include <limits>

#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/data/synthetic.h"
#include "foldout/embed/hessian_lle.h"
#include "foldout/embed/lle.h"
#include "foldout/embed/ltsa.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

constexpr EigenSolver kSolvers[] = {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kShiftInvert};

// Eigenvalues near 1e-7 of a matrix of norm 1 … 10 determine their vectors to about eight digits.
void expect_solves(const Embedding& fit, const ColMatrix& M, double tolerance = 1e-8) {
  const Index n = M.rows(), d = fit.coordinates.cols();
  const oracle::Fit expected = oracle::bottom(M, d);
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), tolerance);
  EXPECT_LT((fit.eigenvalues - expected.eigenvalues).cwiseAbs().maxCoeff(), 1e-13 * M.norm());
  const Matrix covariance = fit.coordinates.transpose() * fit.coordinates / static_cast<double>(n);
  EXPECT_LT((covariance - Matrix::Identity(d, d)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(fit.coordinates.colwise().mean().cwiseAbs().maxCoeff(), 1e-9);
}

class Sizes : public testing::TestWithParam<Index> {};  // dense and sparse eigenproblems

TEST_P(Sizes, LleSolvesTheEigenproblem) {
  const Matrix X = dataset::roll(GetParam());
  const ColMatrix M = oracle::lle_matrix(X, oracle::nearest_others(X, 10), 1e-3);
  for (const auto solver : kSolvers) expect_solves(fit_lle(X, {.n_components = 3, .solver = solver}), M);
}

TEST_P(Sizes, HessianLleSolvesTheEigenproblem) {
  const Matrix X = dataset::roll(GetParam());
  const ColMatrix M = oracle::hessian_matrix(X, oracle::nearest_others(X, 10), 2);
  for (const auto solver : kSolvers) expect_solves(fit_hessian_lle(X, {.solver = solver}), M);
}

TEST_P(Sizes, LtsaSolvesTheEigenproblem) {
  const Matrix X = dataset::roll(GetParam());
  for (const bool include_self : {true, false}) {
    if (!include_self && GetParam() < 300) continue;  // there a sample is in no neighbourhood, see below
    const ColMatrix M = oracle::ltsa_matrix(X, oracle::nearest_others(X, 10), 2, include_self);
    for (const auto solver : kSolvers) expect_solves(fit_ltsa(X, {.include_self = include_self, .solver = solver}), M);
  }
}

INSTANTIATE_TEST_SUITE_P(LocalMethods, Sizes, testing::Values(200, 300));

TEST(LocalMethods, WorkInMoreDimensionsThanNeighbors) {
  const Matrix X = dataset::lifted_roll(200, 30);
  const NeighborTable table = oracle::nearest_others(X, 9);
  expect_solves(fit_lle(X, {.n_neighbors = 9}), oracle::lle_matrix(X, table, 1e-3));
  expect_solves(fit_hessian_lle(X, {.n_neighbors = 9}), oracle::hessian_matrix(X, table, 2));
  expect_solves(fit_ltsa(X, {.n_neighbors = 9}), oracle::ltsa_matrix(X, table, 2, true));
}

// The metric determines which samples are neighbours; the local fit is the same.
TEST(LocalMethods, UseTheNeighborsOfTheCosineMetric) {
  const Matrix X = dataset::lifted_roll(200, 12).array() + 3;
  const NeighborTable table = oracle::nearest_others(X, 9, Metric::kCosine);
  ASSERT_NE(table.indices, oracle::nearest_others(X, 9).indices);
  const auto metric = Metric::kCosine;
  expect_solves(fit_lle(X, {.n_neighbors = 9, .metric = metric}), oracle::lle_matrix(X, table, 1e-3), 1e-7);
  expect_solves(fit_hessian_lle(X, {.n_neighbors = 9, .metric = metric}), oracle::hessian_matrix(X, table, 2), 1e-6);
  expect_solves(fit_ltsa(X, {.n_neighbors = 9, .metric = metric}), oracle::ltsa_matrix(X, table, 2, true), 1e-6);
}

TEST(LocalMethods, WorkForThreeCoordinates) {
  const Matrix X = dataset::lifted_roll(200, 12);
  const NeighborTable table = oracle::nearest_others(X, 14);
  expect_solves(fit_hessian_lle(X, {.n_components = 3, .n_neighbors = 14}), oracle::hessian_matrix(X, table, 3), 1e-6);
  expect_solves(fit_ltsa(X, {.n_components = 3, .n_neighbors = 14}), oracle::ltsa_matrix(X, table, 3, true), 1e-6);
  expect_solves(fit_ltsa(X, {.n_components = 1, .n_neighbors = 14}), oracle::ltsa_matrix(X, table, 1, true));
}

TEST(Lle, RegularisesRelativeToTheTrace) {
  const Matrix X = dataset::roll(150);
  for (const double reg : {1e-2, 1e-4})
    expect_solves(fit_lle(X, {.n_neighbors = 8, .reg = reg}), oracle::lle_matrix(X, oracle::nearest_others(X, 8), reg),
                  1e-7);
  const Embedding small = fit_lle(X), large = fit_lle(1024 * X);
  EXPECT_LT(oracle::difference_up_to_sign(small.coordinates, large.coordinates), 1e-9);
}

TEST(HessianLle, FlattensTheRollUpToAnAffineMap) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const SyntheticData data = make_swiss_roll(2000, seed);
    Matrix truth = data.truth.leftCols(2);  // whitened, as the coordinates are
    truth.rowwise() -= truth.colwise().mean().eval();
    truth.col(0).normalize();
    truth.col(1) -= truth.col(0) * truth.col(0).dot(truth.col(1));
    truth.col(1).normalize();
    EXPECT_LT(oracle::procrustes(fit_hessian_lle(data.samples).coordinates, truth), 2e-3) << seed;
  }
}

TEST(LocalMethods, AreInvariantToShiftRotationAndScale) {
  const Matrix X = dataset::roll(150);
  Matrix turned(150, 3);
  turned << X.col(2), -X.col(0), X.col(1);
  const Matrix moved = (4.0 * turned).array() + 7;
  EXPECT_LT(oracle::difference_up_to_sign(fit_lle(moved).coordinates, fit_lle(X).coordinates), 1e-7);
  EXPECT_LT(oracle::difference_up_to_sign(fit_ltsa(moved).coordinates, fit_ltsa(X).coordinates), 1e-7);
  EXPECT_LT(oracle::difference_up_to_sign(fit_hessian_lle(moved).coordinates, fit_hessian_lle(X).coordinates), 1e-7);
}

// Copies of a sample are indistinguishable and get the same coordinates.
TEST(LocalMethods, PlaceDuplicatesTogether) {
  const Matrix X = dataset::repeated(dataset::roll(100), 2);
  const auto spread = [&](const Embedding& fit) {
    double largest = 0;
    for (Index i = 0; i < X.rows(); i += 2)
      largest = std::max(largest, (fit.coordinates.row(i) - fit.coordinates.row(i + 1)).norm());
    return largest;
  };
  EXPECT_LT(spread(fit_lle(X, {.n_neighbors = 12})), 0.1);
  EXPECT_LT(spread(fit_ltsa(X, {.n_neighbors = 12})), 0.1);
  EXPECT_LT(spread(fit_hessian_lle(X, {.n_neighbors = 12})), 0.1);
}

// With include_self=false, a sample that is in no neighbourhood is unconstrained: a second null vector.
TEST(Ltsa, HandlesASampleInNoNeighborhood) {
  for (const Index n : {199, 399}) {
    Matrix X(n + 1, 3);
    X.topRows(n) = dataset::roll(n);
    X.row(n) << 40, 10, 0;
    const Embedding fit = fit_ltsa(X, {.include_self = false});
    EXPECT_TRUE(fit.coordinates.allFinite());
    EXPECT_LT(fit.eigenvalues.cwiseAbs().minCoeff(), 1e-9);
  }
}

TEST(LocalMethods, ReportFlatNeighborhoods) {
  Matrix line = Matrix::Zero(60, 3);
  line.col(0) = dataset::grid(60, 1);
  EXPECT_TRUE(fit_ltsa(line).report.has_note("flat_neighborhoods"));
  EXPECT_TRUE(fit_hessian_lle(line).report.has_note("flat_neighborhoods"));
}

TEST(HessianLle, NeedsEnoughNeighbors) {
  const Matrix X = dataset::roll(60);
  const std::string text = message_of<InvalidArgument>([&] { (void)fit_hessian_lle(X, {.n_neighbors = 4}); });
  EXPECT_TRUE(contains(text, "n_neighbors = 4 must be at least 5 for n_components = 2")) << text;
  EXPECT_EQ(fit_hessian_lle(X, {.n_neighbors = 5}).coordinates.rows(), 60);
}

TEST(Ltsa, NeedsMoreNeighborsThanCoordinates) {
  const Matrix X = dataset::roll(60);
  const std::string text = message_of<InvalidArgument>([&] { (void)fit_ltsa(X, {.n_neighbors = 2}); });
  EXPECT_TRUE(contains(text, "raise n_neighbors to at least 3")) << text;
  EXPECT_EQ(fit_ltsa(X, {.n_neighbors = 3}).coordinates.cols(), 2);
  EXPECT_THROW((void)fit_ltsa(X, {.n_neighbors = 3, .include_self = false}), InvalidArgument);
  const int most = std::numeric_limits<int>::max();
  const std::string huge = message_of<InvalidArgument>([&] { (void)fit_ltsa(X, {.n_components = most}); });
  EXPECT_TRUE(contains(huge, "raise n_neighbors to at least 2147483648")) << huge;
}

TEST(LocalMethods, RefuseAnAlignmentMatrixThatDoesNotFitIntoMemory) {
  const Matrix X = dataset::roll(150);
  const RunContext small{.memory_limit = 1.2e5};  // enough for the neighbours
  for (const auto& fit : {std::function([&] { (void)fit_lle(X, {.n_neighbors = 15}, small); }),
                          std::function([&] { (void)fit_ltsa(X, {.n_neighbors = 15}, small); })}) {
    const auto text = message_of<InvalidArgument>(fit);
    EXPECT_TRUE(contains(text, "the alignment matrix of 150 samples")) << text;
    EXPECT_TRUE(contains(text, "lower n_neighbors")) << text;
  }
}

}  // namespace
}  // namespace foldout
