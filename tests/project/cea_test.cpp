// SPDX-License-Identifier: Apache-2.0
// Conformal embedding analysis; golden_test.cpp compares every rule, weight and ridge with an independent prototype.
#include "foldout/project/cea.h"

#include <algorithm>

#include "foldout/core/error.h"
#include "maps/counted_transform.h"
#include "project/textbook.h"
#include "support/errors.h"

namespace foldout {
namespace {

class Cea : public Textbook {
 protected:
  [[nodiscard]] Matrix unit() const { return X_.rowwise().normalized(); }
  [[nodiscard]] Matrix different_class() const {
    Matrix W = Matrix::Ones(80, 80) - same_class();
    W.diagonal().setZero();
    return W;
  }
};

// Eqs. (7) and (8) as printed, with all samples of a kind joined.
TEST_F(Cea, SolvesTheGeneralisedEigenproblemOfItsTwoGraphs) {
  const Matrix U = unit();
  const Matrix A = U.transpose() * laplacian(different_class()) * U, B = U.transpose() * laplacian(same_class()) * U;
  for (const double ridge : {0.0, 0.05})
    expect_solution(fit_cea(X_, labels_, {.n_components = 3, .kd = {}, .ridge = ridge}), A, with_ridge(B, ridge), true);
}

TEST_F(Cea, JoinsEightOfOtherClassesByDefault) {
  const Matrix U = unit(), cosines = U * U.transpose();
  Matrix names = Matrix::Zero(80, 80);
  for (Index i = 0; i < 80; ++i) {
    std::vector<std::pair<double, Index>> others;
    for (Index j = 0; j < 80; ++j)
      if (labels_[static_cast<std::size_t>(j)] != labels_[static_cast<std::size_t>(i)])
        others.emplace_back(-cosines(i, j), j);
    std::ranges::sort(others);
    for (std::size_t j = 0; j < 8; ++j) names(i, others[j].second) = 1;
  }
  const Matrix Wd = names.cwiseMax(Matrix(names.transpose()));
  const Matrix A = U.transpose() * laplacian(Wd) * U, B = U.transpose() * laplacian(same_class()) * U;
  const ProjectionFit fit = fit_cea(X_, labels_);
  EXPECT_EQ(fit.coordinates.cols(), 3) << "number of classes − 1";
  expect_solution(fit, A, with_ridge(B, 0.01), true);
  EXPECT_LT((fit.coordinates - U * fit.map->matrix()).cwiseAbs().maxCoeff(), 1e-12) << "no mean is subtracted";
  EXPECT_LT((fit.map->matrix().colwise().norm().array() - 1).abs().maxCoeff(), 1e-12);
}

TEST_F(Cea, NamesASampleOfLengthZero) {
  Matrix X = X_;
  X.row(41).setZero();
  const std::string text = message_of<InvalidArgument>([&] { (void)fit_cea(X, labels_); });
  EXPECT_TRUE(contains(text, "row 41")) << text;
  EXPECT_TRUE(contains(text, "remove it")) << text;
}

TEST_F(Cea, RefusesPositiveSamplesOfOneFeature) {
  const Matrix narrow = X_.leftCols(1).cwiseAbs().array() + 1;
  const std::string text = message_of<InvalidArgument>([&] { (void)fit_cea(narrow, labels_); });
  EXPECT_TRUE(contains(text, "all coordinates are constant (n_samples = 80, n_features = 1)")) << text;
}

TEST_F(Cea, NamesNewSamplesOfLengthZero) {
  for (const FeatureKind kind : {FeatureKind::kLinear, FeatureKind::kKernel, FeatureKind::kHadamard}) {
    const auto fit = fit_cea(X_, labels_, {.n_components = 2, .features = kind});
    Matrix fresh = X_.topRows(60);
    fresh.row(3).setZero();
    fresh.row(57).setZero();
    Tally tally;
    const Matrix placed = CountedTransform{*fit.map}(fresh, {.n_threads = 2}, tally);
    EXPECT_TRUE(kind == FeatureKind::kKernel || placed.row(57).norm() == 0);
    Report report;
    tally.write(report, fresh.rows());
    ASSERT_TRUE(report.has_note("no_direction"));
    EXPECT_EQ(report.notes[0].text.substr(0, 21), "2 samples: length 0, ");
    EXPECT_NE(report.notes[0].text.find("rows 3, 57"), std::string::npos) << report.notes[0].text;
    Report quiet;
    (void)fit.map->transform(X_, {}, quiet);
    EXPECT_TRUE(quiet.notes.empty());
  }
}

TEST_F(Cea, DoesNotDependOnTheLengthOfSamples) {
  const auto fit = fit_cea(X_, labels_);
  Matrix scaled = X_;
  for (Index i = 0; i < 80; ++i) scaled.row(i) *= 0.3 + 0.02 * static_cast<double>(i);
  EXPECT_LT((fit.map->transform(scaled) - fit.coordinates).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((fit_cea(scaled, labels_).coordinates - fit.coordinates).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_TRUE(fit.map->transform(Matrix::Zero(1, 7)).isZero());
}

}  // namespace
}  // namespace foldout
