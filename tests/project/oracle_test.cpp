// SPDX-License-Identifier: Apache-2.0
// Every map against its textbook form: dense matrices, a generalised eigenproblem in feature space.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/random.h"
#include "core/tally.h"
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
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

class ProjectOracle : public testing::Test {
 protected:
  const Matrix X_ = dataset::lifted_roll(80, 7);
  const std::vector<int> labels_ = dataset::classes(X_);
  const Matrix centered_ = X_.rowwise() - X_.colwise().mean();

  [[nodiscard]] Matrix same_class() const {
    Matrix W = Matrix::Zero(80, 80);
    for (Index i = 0; i < 80; ++i)
      for (Index j = 0; j < 80; ++j) W(i, j) = i != j && labels_[i] == labels_[j] ? 1 : 0;
    return W;
  }
  static Matrix degrees(const Matrix& W) { return Vector(W.rowwise().sum()).asDiagonal(); }
  static Matrix laplacian(const Matrix& W) { return degrees(W) - W; }
  // The pairs of A v = λ B v that `fit` should have found, at one end of the spectrum.
  void expect_solution(const ProjectionFit& fit, const Matrix& A, const Matrix& B, bool largest) const {
    const oracle::Pairs pairs = oracle::generalised_eigenpairs(A, B);
    const Matrix V = fit.map->matrix();
    for (Index k = 0; k < V.cols(); ++k) {
      const Index at = largest ? A.rows() - 1 - k : k;
      const Vector expected = pairs.vectors.col(at).normalized(), ours = V.col(k).normalized();
      EXPECT_LT(std::min((ours - expected).norm(), (ours + expected).norm()), 1e-6) << k;
      EXPECT_NEAR(fit.eigenvalues[k], pairs.values[at], 1e-8 * std::max(1.0, std::abs(pairs.values[at])));
    }
  }
  static Matrix with_ridge(const Matrix& M, double ridge) {
    return M + ridge * M.trace() / static_cast<double>(M.rows()) * Matrix::Identity(M.rows(), M.cols());
  }
};

TEST_F(ProjectOracle, Lda) {
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

TEST_F(ProjectOracle, Lpp) {
  const Matrix W = oracle::adjacency(oracle::nearest_others(X_, 6), false);
  const Matrix A = centered_.transpose() * laplacian(W) * centered_, B = centered_.transpose() * degrees(W) * centered_;
  for (const double ridge : {0.0, 0.2})
    expect_solution(
        fit_lpp(X_, {}, {.n_components = 3, .n_neighbors = 6, .weights = EdgeWeights::kBinary, .ridge = ridge}),
        with_ridge(A, ridge), B, false);
}

TEST_F(ProjectOracle, SupervisedLpp) {
  const Matrix W = same_class();
  const Matrix A = centered_.transpose() * laplacian(W) * centered_, B = centered_.transpose() * degrees(W) * centered_;
  expect_solution(fit_lpp(X_, labels_, {.n_components = 3, .supervised = true, .weights = EdgeWeights::kBinary}),
                  with_ridge(A, 0.1), B, false);
}

TEST_F(ProjectOracle, Lsda) {
  const Matrix Ww = same_class();
  Matrix Wb = Matrix::Ones(80, 80) - Ww;
  Wb.diagonal().setZero();
  const Matrix A = centered_.transpose() * (0.1 * laplacian(Wb) + 0.9 * Ww) * centered_;
  const Matrix B = centered_.transpose() * degrees(Ww) * centered_;
  expect_solution(fit_lsda(X_, labels_, {.n_components = 3}), A, with_ridge(B, 0.1), true);
}

TEST_F(ProjectOracle, Npe) {
  const Matrix M = oracle::lle_matrix(X_, oracle::nearest_others(X_, 9), 1e-3);
  const Matrix A = centered_.transpose() * M * centered_, B = centered_.transpose() * centered_;
  const auto fit = fit_npe(X_, {}, {.n_components = 3, .n_neighbors = 9, .ridge = 0});
  expect_solution(fit, A, B, false);
  EXPECT_LT((fit.coordinates.transpose() * fit.coordinates / 80 - Matrix::Identity(3, 3)).norm(), 1e-9);
}

TEST_F(ProjectOracle, OnppAndOneShotOlpp) {
  const Matrix M = oracle::lle_matrix(X_, oracle::nearest_others(X_, 9), 1e-3);
  const Matrix identity = Matrix::Identity(7, 7);
  const auto onpp = fit_onpp(X_, {}, {.n_components = 3, .n_neighbors = 9});
  expect_solution(onpp, centered_.transpose() * M * centered_, identity, false);
  EXPECT_LT((onpp.map->matrix().transpose() * onpp.map->matrix() - Matrix::Identity(3, 3)).norm(), 1e-12);
  const Matrix W = oracle::adjacency(oracle::nearest_others(X_, 6), false);
  expect_solution(fit_olpp(X_, {}, {.n_components = 3, .n_neighbors = 6, .weights = EdgeWeights::kBinary}),
                  centered_.transpose() * laplacian(W) * centered_, identity, false);
}

TEST_F(ProjectOracle, SequentialOlpp) {
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
  // Each column is the best among random ones that are orthogonal to those before.
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

TEST_F(ProjectOracle, SequentialOlppTellsWhatItDid) {
  const OlppOptions sequential{.n_components = 3, .algorithm = OlppAlgorithm::kSequential};
  const Report report = fit_olpp(X_, {}, sequential).report, once = fit_olpp(X_, {}, {.n_components = 3}).report;
  ASSERT_TRUE(report.find_figure("rank"));
  EXPECT_EQ(*report.find_figure("rank"), 7) << "of the features, not of what is left in the last step";
  EXPECT_EQ(*report.find_figure("rank"), *once.find_figure("rank"));
  const auto is_solver = [](const auto& phase) { return phase.first == "eigenvectors"; };
  EXPECT_EQ(std::ranges::count_if(report.phases, is_solver), 1);
  EXPECT_GT(std::ranges::find_if(report.phases, is_solver)->second, 0);
  int calls = 0;
  const auto stop = [&](const Progress& p) { return p.phase != "eigenvectors" || ++calls < 2; };
  EXPECT_THROW((void)fit_olpp(X_, {}, sequential, {.progress = stop}), Cancelled);
}

TEST_F(ProjectOracle, SupervisedMapsNeedTwoClasses) {
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

TEST_F(ProjectOracle, FeaturesThatDoNotFitIntoMemoryAreRefused) {
  const Matrix wide = Rng(1).normal_matrix(20, 200);
  const auto text =
      message_of<InvalidArgument>([&] { (void)fit_nppe(wide, {.degree = 5, .ridge = 0.0}, {.memory_limit = 1e9}); });
  EXPECT_TRUE(contains(text, "features of 20 samples")) << text;
  EXPECT_TRUE(contains(text, "GB")) << text;
}

TEST_F(ProjectOracle, CeaNamesNewSamplesOfLengthZero) {
  for (const FeatureKind kind : {FeatureKind::kLinear, FeatureKind::kKernel, FeatureKind::kHadamard}) {
    const auto fit = fit_cea(X_, labels_, {.n_components = 2, .features = kind});
    Matrix fresh = X_.topRows(60);
    fresh.row(3).setZero();
    fresh.row(57).setZero();
    Tally tally;
    const Matrix placed = fit.map->transform(fresh, {.n_threads = 2}, tally);
    EXPECT_TRUE(kind == FeatureKind::kKernel || placed.row(57).norm() == 0);
    Report report;
    tally.write(report, fresh.rows());
    ASSERT_TRUE(report.has_note("no_direction"));
    EXPECT_EQ(report.notes[0].text.substr(0, 21), "2 samples: of length ");
    EXPECT_NE(report.notes[0].text.find("rows 3, 57"), std::string::npos) << report.notes[0].text;
    Tally none;
    (void)fit.map->transform(X_, {}, none);
    Report quiet;
    none.write(quiet, X_.rows());
    EXPECT_TRUE(quiet.notes.empty());
  }
}

TEST_F(ProjectOracle, CeaDoesNotSeeTheLengthOfSamples) {
  const auto fit = fit_cea(X_, labels_);
  Matrix scaled = X_;
  for (Index i = 0; i < 80; ++i) scaled.row(i) *= 0.3 + 0.02 * static_cast<double>(i);
  EXPECT_LT((fit.map->transform(scaled) - fit.coordinates).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((fit_cea(scaled, labels_).coordinates - fit.coordinates).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_TRUE(fit.map->transform(Matrix::Zero(1, 7)).isZero());
}

}  // namespace
}  // namespace foldout
