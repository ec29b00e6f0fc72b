// SPDX-License-Identifier: Apache-2.0
#include "graph/reconstruction_weights.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "graph/neighborhoods.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {
namespace {

SparseMatrix weights_of(const Matrix& X, int k, double reg, const RunContext& context = {}) {
  Report report;
  const SparseMatrix IW =
      reconstruction_residuals(X, find_neighborhoods(X, {.n_neighbors = k}, {}, report), reg, context);
  return (Matrix::Identity(X.rows(), X.rows()) - Matrix(IW)).sparseView();
}

void expect_row_sums_of_one(const SparseMatrix& W) {
  const Vector sums = W * Vector::Ones(W.cols());
  EXPECT_LT((sums - Vector::Ones(W.rows())).cwiseAbs().maxCoeff(), 1e-9);
  for (Index i = 0; i < W.rows(); ++i) EXPECT_EQ(W.coeff(i, i), 0);
}

TEST(ReconstructionWeights, SolveTheRegularisedSystem) {
  const Matrix X = dataset::roll(100);
  const SparseMatrix W = weights_of(X, 8, 1e-3);
  expect_row_sums_of_one(W);
  const Matrix IW = Matrix::Identity(100, 100) - Matrix(W);
  const ColMatrix M = oracle::lle_matrix(X, oracle::nearest_others(X, 8), 1e-3);
  EXPECT_LT((IW.transpose() * IW - M).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(ReconstructionWeights, ReproduceAPointOfTheAffineHull) {
  const Matrix anchors = Rng(1).normal_matrix(6, 4);
  const Eigen::RowVectorXd sample = 0.5 * anchors.row(1) - 0.2 * anchors.row(3) + 0.7 * anchors.row(5);
  const std::vector<int> neighbors{0, 1, 2, 3, 4, 5};
  std::vector<double> weights(6);
  reconstruction_weights(sample.data(), anchors, neighbors, 1e-10, weights);
  Eigen::RowVectorXd rebuilt = Eigen::RowVectorXd::Zero(4);
  for (std::size_t j = 0; j < 6; ++j) rebuilt += weights[j] * anchors.row(neighbors[j]);
  EXPECT_LT((rebuilt - sample).norm(), 1e-7);
}

// In general position more neighbours than features reconstruct a sample exactly, without regularisation.
TEST(ReconstructionWeights, ReproduceItAlsoWithoutRegularisation) {
  for (const Index k : {3, 4, 6}) {
    const Matrix anchors = Rng(2).normal_matrix(k, 2);
    const Matrix sample = Rng(3).normal_matrix(1, 2);
    std::vector<int> neighbors;
    for (int j = 0; j < k; ++j) neighbors.push_back(j);
    std::vector<double> weights(static_cast<std::size_t>(k));
    reconstruction_weights(sample.data(), anchors, neighbors, 0, weights);
    Eigen::RowVectorXd rebuilt = Eigen::RowVectorXd::Zero(2);
    for (std::size_t j = 0; j < weights.size(); ++j) rebuilt += weights[j] * anchors.row(neighbors[j]);
    EXPECT_LT((rebuilt - sample.row(0)).norm(), 1e-4 * sample.norm()) << k << " neighbours";
  }
}

TEST(ReconstructionWeights, DoNotDependOnTheUnit) {
  const Matrix X = dataset::roll(60);
  for (const double unit : {1e-100, 1e-8, 1e8, 1e100})
    EXPECT_LT((Matrix(weights_of(X * unit, 6, 1e-3)) - Matrix(weights_of(X, 6, 1e-3))).cwiseAbs().maxCoeff(), 1e-9)
        << unit;
}

TEST(ReconstructionWeights, StayFiniteForDuplicates) {
  for (const double reg : {1e-3, 0.0}) {
    const SparseMatrix repeated = weights_of(dataset::repeated(dataset::roll(30), 4), 6, reg);
    EXPECT_TRUE(Matrix(repeated).allFinite());
    expect_row_sums_of_one(repeated);
    const SparseMatrix equal = weights_of(Matrix::Ones(20, 3), 5, reg);
    expect_row_sums_of_one(equal);
    for (Index e = 0; e < equal.nonZeros(); ++e) EXPECT_NEAR(equal.valuePtr()[e], 0.2, 1e-12);
  }
}

// Most samples are weighed eight at a time; a sample that comes alone gets the same bits.
TEST(ReconstructionWeights, AreTheSameForASampleAlone) {
  for (const double reg : {1e-3, 0.0})
    for (const int k : {3, 10, 30}) {
      const Matrix X = dataset::lifted_roll(300, 12);
      Report report;
      const Neighborhoods lists = find_neighborhoods(X, {k}, {}, report);
      const std::vector<double> all = neighborhood_weights(X, lists, reg);
      for (Index i = 0; i < 300; ++i) {
        std::vector<double> one(lists.of(i).size());  // more than k with bridges
        reconstruction_weights(X.row(i).data(), X, lists.of(i), reg, one);
        for (std::size_t j = 0; j < one.size(); ++j)
          ASSERT_EQ(one[j], all[static_cast<std::size_t>(lists.first[static_cast<std::size_t>(i)]) + j]);
      }
    }
}

TEST(ReconstructionWeights, AreTheSameOnTwoThreads) {
  const Matrix X = dataset::lifted_roll(600, 8);
  EXPECT_TRUE(dataset::same_bits(weights_of(X, 10, 1e-3), weights_of(X, 10, 1e-3, {.n_threads = 2})));
}

}  // namespace
}  // namespace foldout
