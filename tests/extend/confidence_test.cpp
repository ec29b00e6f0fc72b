// SPDX-License-Identifier: Apache-2.0
#include "foldout/extend/confidence.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "foldout/core/error.h"
#include "support/datasets.h"

namespace foldout {
namespace {

std::shared_ptr<const Confidence> of(const Matrix& X) { return fit_confidence(std::make_shared<Matrix>(X)); }

// A plane in 8 dimensions, denser on one side.
Matrix plane(Index n, std::uint64_t seed) {
  Rng rng(seed);
  Matrix X(n, 8);
  const Matrix A = Rng(99).normal_matrix(2, 8);
  for (Index i = 0; i < n; ++i) {
    Eigen::RowVector2d uv(rng.uniform(), rng.uniform());
    uv[0] *= uv[0];
    X.row(i) = uv * A;
  }
  return X;
}

TEST(Confidence, IsHighForSamplesLikeTheTrainingSamples) {
  const auto confidence = of(plane(600, 1));
  const Vector c = confidence->explain(plane(400, 2)).confidence;
  std::vector<double> sorted(c.begin(), c.end());
  std::ranges::sort(sorted);
  EXPECT_NEAR(sorted[200], 0.95, 0.03) << "the median";
  EXPECT_NEAR(sorted[20], 0.5, 0.25) << "the lowest 5 %";
}

TEST(Confidence, DecreasesOffThePlaneAndBeyondItsEdge) {
  const auto confidence = of(plane(600, 1));
  const Matrix on = plane(50, 2);
  const Eigen::RowVectorXd normal = Rng(5).normal_matrix(1, 8).row(0);
  Vector last = Vector::Constant(50, 1.1);
  for (const double step : {0.0, 0.05, 0.2, 1.0}) {
    const Matrix moved = on.rowwise() + step * normal;
    const Explanation explained = confidence->explain(moved);
    EXPECT_TRUE(explained.confidence.mean() < last.mean() || last.isZero());
    last = explained.confidence;
  }
  EXPECT_LT(last.maxCoeff(), 1e-6);
  EXPECT_LT(confidence->explain(on.array() + 10.0).confidence.maxCoeff(), 1e-6);
}

TEST(Confidence, DoesNotDependOnUnits) {
  const Vector small = of(1e-4 * plane(300, 1))->explain(1e-4 * plane(30, 2)).confidence;
  EXPECT_LT((small - of(plane(300, 1))->explain(plane(30, 2)).confidence).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Confidence, IsOneOnTrainingSamples) {
  const Matrix X = plane(100, 1);
  EXPECT_EQ(of(X)->explain(X).confidence, Vector::Ones(100));
}

// Duplicates carry no information about the gaps between distinct samples.
TEST(Confidence, IsNotMisledByRepeatedSamples) {
  const Matrix X = plane(200, 1), fresh = plane(100, 2);
  const Vector once = of(X)->explain(fresh).confidence;
  const auto twice = of(dataset::repeated(X, 2));
  EXPECT_EQ(twice->explain(fresh).confidence, once);
  EXPECT_LT(twice->explain(fresh.array() + 10.0).confidence.maxCoeff(), 1e-6);
  EXPECT_EQ(twice->scale().rare, of(X)->scale().rare);
}

// ρ of one sample by its definition, over all reference samples in turn.
TEST(Confidence, RelatesResidualsToTheGapsOfTheNeighbours) {
  const Matrix X = plane(60, 1), fresh = plane(1, 2).array() + 0.01;
  const auto confidence = of(X);
  std::vector<std::pair<double, Index>> order;
  for (Index i = 0; i < X.rows(); ++i) order.emplace_back((X.row(i) - fresh.row(0)).norm(), i);
  std::ranges::sort(order);
  double gap = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    double nearest = 1e300;
    for (Index j = 0; j < X.rows(); ++j)
      if (j != order[i].second) nearest = std::min(nearest, (X.row(order[i].second) - X.row(j)).norm());
    gap += nearest / 10;
  }
  const Explanation found = confidence->explain(fresh);
  const ConfidenceScale& scale = confidence->scale();
  const double rho = std::sqrt(order[0].first * found.residuals[0]) / gap;
  const double power = std::log(std::log2(1 / 0.95)) / std::log(scale.typical / scale.rare);
  EXPECT_NEAR(found.confidence[0], std::exp2(-std::pow(rho / scale.rare, power)), 1e-12);
}

TEST(Confidence, SurvivesFewEqualAndHugeSamples) {
  const Matrix X = plane(40, 1);
  EXPECT_EQ(of(X.topRows(1))->explain(X.topRows(1)).confidence[0], 1);
  EXPECT_EQ(of(X.topRows(1))->explain(X.row(1)).confidence[0], 0);
  const Matrix equal = dataset::repeated(X.topRows(1), 20);
  EXPECT_EQ(of(equal)->explain(equal).confidence, Vector::Ones(20));
  EXPECT_EQ(of(equal)->explain(X.row(3)).confidence[0], 0);
  const Explanation huge = of(X)->explain(X * 1e200);
  EXPECT_TRUE(huge.confidence.isZero());
  EXPECT_TRUE(huge.residuals.allFinite());
  EXPECT_THROW((void)of(X)->explain(Matrix::Ones(1, 3)), InvalidArgument);
}

// There is no gap to relate residuals to.
TEST(Confidence, WorksWithASingleAtom) {
  const Matrix X = plane(40, 1);
  const auto confidence = fit_confidence(std::make_shared<Matrix>(X.topRows(1)), X);
  EXPECT_EQ(confidence->scale().rare, 0);
  EXPECT_EQ(confidence->explain(X.topRows(1)).confidence[0], 1);
  EXPECT_EQ(confidence->explain(X.row(1)).confidence[0], 0);
}

}  // namespace
}  // namespace foldout
