// SPDX-License-Identifier: Apache-2.0
#include "foldout/preprocess/preprocess.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/error.h"
#include "support/errors.h"

namespace foldout {
namespace {

TEST(Center, SubtractsTheMeanOfTheTrainingSamples) {
  const Matrix X = Rng(1).normal_matrix(50, 4).array() + 3, fresh = Rng(2).normal_matrix(5, 4);
  const Eigen::RowVectorXd mean = X.colwise().mean();
  const auto step = fit_center(X);
  EXPECT_LT((step->apply(fresh) - (fresh.rowwise() - mean)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT(step->apply(X).colwise().mean().cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Standardize, UsesTheStatisticsOfTheTrainingSamples) {
  const Matrix X = (Rng(3).normal_matrix(80, 3) * 5).array() + 7, fresh = Rng(4).normal_matrix(5, 3);
  Report report;
  const auto step = fit_standardize(X, report);
  const Eigen::RowVectorXd mean = X.colwise().mean();
  const Eigen::RowVectorXd deviation = ((X.rowwise() - mean).cwiseAbs2().colwise().mean()).cwiseSqrt();
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(step->apply(fresh)(i, j), (fresh(i, j) - mean[j]) / deviation[j], 1e-13);
  const Matrix Z = step->apply(X);
  EXPECT_LT((Z.cwiseAbs2().colwise().mean().array() - 1).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_TRUE(report.notes.empty());
}

TEST(Standardize, OnlyCentresConstantFeatures) {
  Matrix X = Rng(5).normal_matrix(30, 4);
  X.col(1).setConstant(0.1);  // its mean is not exactly 0.1
  X.col(3).setZero();
  Report report;
  const auto step = fit_standardize(X, report);
  ASSERT_TRUE(report.has_note("constant_features"));
  EXPECT_TRUE(contains(report.notes[0].text, "2 of 4 features"));
  const Matrix Z = step->apply(X);
  EXPECT_LT(Z.col(1).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(Z.col(3).cwiseAbs().maxCoeff(), 0);
  Matrix fresh = Matrix::Ones(1, 4);
  EXPECT_NEAR(step->apply(fresh)(0, 1), 0.9, 1e-14);
  EXPECT_NO_THROW((void)fit_standardize(Matrix::Ones(1, 2), report));
}

// The semantics of scikit-learn's MinMaxScaler.
TEST(Minmax, MapsTheRangeOfTheTrainingSamples) {
  const Matrix X = (Rng(3).normal_matrix(80, 3) * 5).array() + 7, fresh = 40 * Rng(4).normal_matrix(9, 3);
  const Eigen::RowVectorXd low = X.colwise().minCoeff(), high = X.colwise().maxCoeff();
  Report report;
  for (const auto& [a, b] : {std::pair{0.0, 1.0}, {-3.0, 2.0}}) {
    const auto step = fit_minmax(X, {.low = a, .high = b}, report);
    const Matrix Z = step->apply(X), placed = step->apply(fresh);
    for (Index j = 0; j < 3; ++j) {
      EXPECT_NEAR(Z.col(j).minCoeff(), a, 1e-14);
      EXPECT_NEAR(Z.col(j).maxCoeff(), b, 1e-14);
      for (Index i = 0; i < 9; ++i)
        EXPECT_NEAR(placed(i, j), (fresh(i, j) - low[j]) / (high[j] - low[j]) * (b - a) + a, 1e-12);
    }
    EXPECT_GT(placed.maxCoeff(), b) << "samples beyond the range are not clipped";
  }
  EXPECT_EQ(fit_minmax(X, {}, report)->apply(X).minCoeff(), 0);
  EXPECT_EQ(fit_minmax(X, {}, report)->apply(X).maxCoeff(), 1);
  EXPECT_TRUE(report.notes.empty());
}

TEST(Minmax, MapsConstantFeaturesToTheLowEnd) {
  Matrix X = Rng(5).normal_matrix(30, 4);
  X.col(1).setConstant(0.1);
  Report report;
  const auto step = fit_minmax(X, {}, report);
  ASSERT_TRUE(report.has_note("constant_features"));
  EXPECT_TRUE(contains(report.notes[0].text, "1 of 4 features")) << report.notes[0].text;
  EXPECT_EQ(step->apply(X).col(1).cwiseAbs().maxCoeff(), 0);
  EXPECT_NEAR(step->apply(Matrix::Ones(1, 4))(0, 1), 0.9, 1e-15);
  EXPECT_EQ(fit_minmax(Matrix::Ones(1, 2), {.low = -1}, report)->apply(Matrix::Ones(1, 2))(0, 1), -1);
}

TEST(Minmax, RefusesAnEmptyRange) {
  Report report;
  EXPECT_EQ(message_of<InvalidArgument>([&] { (void)fit_minmax(Matrix::Ones(3, 2), {.low = 2, .high = 2}, report); }),
            "minmax: low = 2 must be less than high = 2");
}

TEST(UnitNorm, DividesByTheLength) {
  Matrix X = Rng(6).normal_matrix(20, 5);
  X.row(3) *= 1e-200;
  X.row(4) *= 1e200;
  X.row(5) << 0, 0, -2, 0, 0;
  const Matrix Z = fit_unit_norm(X)->apply(X);
  for (Index i = 0; i < 20; ++i) {
    EXPECT_NEAR(Z.row(i).norm(), 1, 1e-14);
    EXPECT_NEAR(Z.row(i).dot(X.row(i) / X.row(i).cwiseAbs().maxCoeff()),
                (X.row(i) / X.row(i).cwiseAbs().maxCoeff()).norm(), 1e-12);
  }
  EXPECT_EQ(Z(5, 2), -1);
}

TEST(UnitNorm, NamesTheRowThatIsZero) {
  Matrix X = Matrix::Ones(100, 3);
  const auto step = fit_unit_norm(X);
  X.row(77).setZero();
  EXPECT_EQ(message_of<InvalidArgument>([&] { (void)step->apply(X); }),
            "unit_norm: row 77 is zero and has no direction: remove it");
}

}  // namespace
}  // namespace foldout
