// SPDX-License-Identifier: Apache-2.0
// Maps against their textbook form: dense matrices, a generalised eigenproblem in feature space. lpp and cea have their
// own files.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/project/cea.h"
#include "foldout/project/lda.h"
#include "foldout/project/lpp.h"
#include "foldout/project/lsda.h"
#include "foldout/project/npe.h"
#include "foldout/project/nppe.h"
#include "foldout/project/olpp.h"
#include "foldout/project/onpp.h"
#include "project/textbook.h"
#include "support/errors.h"

namespace foldout {
namespace {

TEST_F(Textbook, Lda) {
  Matrix between = Matrix::Zero(7, 7);
  std::map<int, std::vector<Index>> classes;
  for (Index i = 0; i < 80; ++i) classes[labels_[i]].push_back(i);
  for (const auto& [label, members] : classes) {
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(7);
    for (const Index i : members) mean += centered_.row(i) / static_cast<double>(members.size());
    between += static_cast<double>(members.size()) * mean.transpose() * mean;
  }
  const Matrix total = centered_.transpose() * centered_;
  for (const double ridge : {0.0, 0.1})
    expect_solution(fit_lda(X_, labels_, {.n_components = 2, .ridge = ridge}), between, with_ridge(total, ridge), true);
}

TEST_F(Textbook, Lsda) {
  const Matrix Ww = same_class();
  Matrix Wb = Matrix::Ones(80, 80) - Ww;
  Wb.diagonal().setZero();
  const Matrix A = centered_.transpose() * (0.1 * laplacian(Wb) + 0.9 * Ww) * centered_;
  const Matrix B = centered_.transpose() * degrees(Ww) * centered_;
  expect_solution(fit_lsda(X_, labels_, {.n_components = 3}), A, with_ridge(B, 0.1), true);
}

TEST_F(Textbook, Npe) {
  const Matrix M = oracle::lle_matrix(X_, oracle::nearest_others(X_, 9), 1e-3);
  const Matrix A = centered_.transpose() * M * centered_, B = centered_.transpose() * centered_;
  const auto fit = fit_npe(X_, {}, {.n_components = 3, .n_neighbors = 9, .ridge = 0});
  expect_solution(fit, A, B, false);
  EXPECT_LT((fit.coordinates.transpose() * fit.coordinates / 80 - Matrix::Identity(3, 3)).norm(), 1e-9);
}

TEST_F(Textbook, OnppAndOneShotOlpp) {
  const Matrix M = oracle::lle_matrix(X_, oracle::nearest_others(X_, 9), 1e-3);
  const Matrix identity = Matrix::Identity(7, 7);
  const auto onpp = fit_onpp(X_, {}, {.n_components = 3, .n_neighbors = 9});
  expect_solution(onpp, centered_.transpose() * M * centered_, identity, false);
  EXPECT_LT((onpp.map->matrix().transpose() * onpp.map->matrix() - Matrix::Identity(3, 3)).norm(), 1e-12);
  const Matrix W = oracle::adjacency(oracle::nearest_others(X_, 6), false);
  expect_solution(fit_olpp(X_, {}, {.n_components = 3, .n_neighbors = 6, .weights = EdgeWeights::kBinary}),
                  centered_.transpose() * laplacian(W) * centered_, identity, false);
}

TEST_F(Textbook, SequentialOlpp) {
  const Matrix W = oracle::adjacency(oracle::nearest_others(X_, 6), false);
  const Matrix A = centered_.transpose() * laplacian(W) * centered_, B = centered_.transpose() * degrees(W) * centered_;
  const auto fit = fit_olpp(X_, {},
                            {.n_components = 3,
                             .algorithm = OlppAlgorithm::kSequential,
                             .n_neighbors = 6,
                             .weights = EdgeWeights::kBinary,
                             .ridge = 0});
  const Matrix V = fit.map->matrix();
  EXPECT_LT((V.transpose() * V - Matrix::Identity(3, 3)).norm(), 1e-9);
  // Each column is better than random ones orthogonal to the previous columns.
  const auto quotient = [&](const Vector& v) { return v.dot(A * v) / v.dot(B * v); };
  Rng rng(4);
  for (Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(quotient(V.col(k)), fit.eigenvalues[k], 1e-8);
    for (int trial = 0; trial < 300; ++trial) {
      Vector v = V.col(k) + 0.1 * rng.normal_vector(7);
      v -= V.leftCols(k) * (V.leftCols(k).transpose() * v);
      EXPECT_GE(quotient(v), fit.eigenvalues[k] - 1e-10);
    }
  }
}

TEST_F(Textbook, SequentialOlppReportsItsSteps) {
  const OlppOptions sequential{.n_components = 3, .algorithm = OlppAlgorithm::kSequential};
  const Report report = fit_olpp(X_, {}, sequential).report, once = fit_olpp(X_, {}, {.n_components = 3}).report;
  ASSERT_TRUE(report.find_figure("rank"));
  EXPECT_EQ(*report.find_figure("rank"), 7) << "of the features, not of the remainder in the last step";
  EXPECT_EQ(*report.find_figure("rank"), *once.find_figure("rank"));
  const auto is_solver = [](const auto& phase) { return phase.first == "eigenvectors"; };
  EXPECT_EQ(std::ranges::count_if(report.phases, is_solver), 1);
  EXPECT_GT(std::ranges::find_if(report.phases, is_solver)->second, 0);
  int calls = 0;
  const auto stop = [&](const Progress& p) { return p.phase != "eigenvectors" || ++calls < 2; };
  EXPECT_THROW((void)fit_olpp(X_, {}, sequential, {.progress = stop}), Cancelled);
}

TEST_F(Textbook, SupervisedMapsNeedTwoClasses) {
  const std::vector<int> one(80, 3), few(10, 0);
  for (const std::vector<int>& labels : {std::vector<int>{}, one, few}) {
    EXPECT_THROW((void)fit_lda(X_, labels), InvalidArgument);
    EXPECT_THROW((void)fit_lsda(X_, labels), InvalidArgument);
    EXPECT_THROW((void)fit_cea(X_, labels), InvalidArgument);
    EXPECT_THROW((void)fit_lpp(X_, labels, {.supervised = true}), InvalidArgument);
  }
  std::vector<int> lonely = labels_;
  lonely[0] = 99;
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)fit_npe(X_, lonely, {.supervised = true}); }), "sample 0"));
  EXPECT_TRUE(fit_cea(X_, lonely).coordinates.allFinite());
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)fit_lda(X_, labels_, {.n_components = 4}); }), "classes"));
}

TEST_F(Textbook, FeaturesThatDoNotFitIntoMemoryAreRefused) {
  const Matrix wide = Rng(1).normal_matrix(20, 200);
  const auto text =
      message_of<InvalidArgument>([&] { (void)fit_nppe(wide, {.degree = 5, .ridge = 0.0}, {.memory_limit = 1e9}); });
  EXPECT_TRUE(contains(text, "features of 20 samples")) << text;
  EXPECT_TRUE(contains(text, "GB")) << text;
}

TEST_F(Textbook, MoreMonomialsThanCanBeComputedInTimeAreRefused) {
  const Matrix narrow = Rng(1).normal_matrix(17, 8);
  const auto text = message_of<InvalidArgument>([&] { (void)fit_nppe(narrow, {.degree = 20, .n_neighbors = 5}); });
  EXPECT_TRUE(contains(text, "3108104 monomials of 8 features")) << text;
  EXPECT_TRUE(contains(text, "lower degree")) << text;
}

}  // namespace
}  // namespace foldout
