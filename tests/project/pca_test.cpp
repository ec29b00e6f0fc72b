// SPDX-License-Identifier: Apache-2.0
#include "foldout/project/pca.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/embed/kpca.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

// The same up to the sign of each coordinate.
void expect_same(const Matrix& A, const Matrix& B, double tolerance) {
  ASSERT_EQ(A.cols(), B.cols());
  for (Index k = 0; k < A.cols(); ++k)
    EXPECT_LE(std::min((A.col(k) - B.col(k)).norm(), (A.col(k) + B.col(k)).norm()), tolerance * B.col(k).norm());
}

TEST(Pca, OfKernelFeaturesIsKernelPca) {
  const Matrix X = Rng(3).normal_matrix(40, 5);
  const PcaFit fit = fit_pca(X, {.n_components = 3, .features = FeatureKind::kKernel, .width = 7.0});
  const auto kpca = fit_kpca(X, {.n_components = 3, .width = 7.0});
  expect_same(fit.coordinates, kpca.coordinates, 1e-9);
  expect_same(fit.map->transform(2 * X), kpca.map->transform(2 * X), 1e-8);
}

TEST(Pca, OfPolynomialFeaturesIsPcaOfTheMonomials) {
  const Matrix X = Rng(4).normal_matrix(50, 3);
  Matrix monomials(50, 9);
  monomials.leftCols(3) = X;
  Index m = 3;
  for (Index i = 0; i < 3; ++i)
    for (Index j = i; j < 3; ++j) monomials.col(m++) = X.col(i).cwiseProduct(X.col(j));
  const PcaFit fit = fit_pca(X, {.n_components = 4, .features = FeatureKind::kPolynomial});
  const PcaFit plain = fit_pca(monomials, {.n_components = 4});
  expect_same(fit.coordinates, plain.coordinates, 1e-9);
  EXPECT_LE((fit.eigenvalues - plain.eigenvalues).norm(), 1e-9 * plain.eigenvalues.norm());
}

TEST(Pca, FindsTheDirectionsOfLargestVariance) {
  for (const auto& [n, d] : {std::pair<Index, Index>{150, 6}, {20, 100}}) {
    const Matrix X = dataset::lifted_roll(n, d).array() + 5;
    const PcaFit fit = fit_pca(X, {.n_components = 4});
    const oracle::Fit expected = oracle::classical_scaling(oracle::distances(X, X), 4);
    EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
    EXPECT_LT((fit.eigenvalues - expected.eigenvalues / static_cast<double>(n)).cwiseAbs().maxCoeff(),
              1e-10 * fit.eigenvalues[0]);
    EXPECT_LT(fit.coordinates.colwise().mean().cwiseAbs().maxCoeff(), 1e-12);
    const Matrix& V = fit.map->matrix();
    EXPECT_LT((V.transpose() * V - Matrix::Identity(4, 4)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_TRUE(dataset::same_bits(fit.map->transform(X), fit.coordinates));
  }
}

TEST(Pca, ReportsTheVarianceItExplains) {
  Matrix X = Rng(1).normal_matrix(200, 3);
  X.col(2) = X.col(0) + X.col(1);
  EXPECT_NEAR(*fit_pca(X, {.n_components = 2}).report.find_figure("explained_variance"), 1, 1e-12);
  EXPECT_LT(*fit_pca(X, {.n_components = 1}).report.find_figure("explained_variance"), 0.95);
}

// np.searchsorted(cumulative ratio, fraction, side="right") + 1, as scikit-learn does.
TEST(Pca, TakesTheFewestComponentsThatExplainMoreThanAFraction) {
  const Matrix X = Rng(6).normal_matrix(120, 7) * Vector{{5, 4, 3, 2, 1, 0.5, 0.1}}.asDiagonal();
  const Matrix centered = X.rowwise() - X.colwise().mean();
  const Vector variances = oracle::singular_values(centered).array().square();
  for (const double fraction : {1e-9, 0.3, 0.5, 0.8, 0.95, 0.99, 0.999999, 1 - 1e-16}) {
    Index count = 0;
    for (double sum = 0; count < 7 && sum <= fraction * variances.sum();) sum += variances[count++];
    const PcaFit fit = fit_pca(X, {.n_components = fraction});
    EXPECT_EQ(fit.coordinates.cols(), count) << fraction;
    EXPECT_TRUE(dataset::same_bits(fit.coordinates, fit_pca(X, {.n_components = count}).coordinates));
  }
  EXPECT_EQ(fit_pca(X, {.n_components = 1}).coordinates.cols(), 1);
  Matrix equal = Matrix::Zero(4, 2);  // each direction has exactly half of the variance
  equal << 1, 0, -1, 0, 0, 1, 0, -1;
  EXPECT_EQ(fit_pca(equal, {.n_components = 0.5}).coordinates.cols(), 2) << "half is not more than half";
}

TEST(Pca, RefusesFractionsThatMakeNoSense) {
  const Matrix X = Rng(6).normal_matrix(20, 3);
  for (const double fraction : {0.0, -0.5, 1.0, 1.5, std::nan("")})
    EXPECT_THROW((void)fit_pca(X, {.n_components = fraction}), InvalidArgument) << fraction;
  const auto text = message_of<InvalidArgument>(
      [&] { (void)fit_pca(X, {.n_components = 0.9, .features = FeatureKind::kPolynomial}); });
  EXPECT_TRUE(contains(text, "features=linear")) << text;
}

TEST(Pca, ReportsHowManyDimensionsThereAre) {
  Matrix X = Rng(2).normal_matrix(50, 4);
  X.col(3).setConstant(9);
  const auto text = message_of<InvalidArgument>([&] { (void)fit_pca(X, {.n_components = 4}); });
  EXPECT_TRUE(contains(text, "span only 3 dimensions: ask for at most 3")) << text;
  EXPECT_THROW((void)fit_pca(Matrix::Ones(10, 3), {.n_components = 1}), InvalidArgument);
  EXPECT_THROW((void)fit_pca(Matrix::Ones(1, 3)), InvalidArgument);
}

}  // namespace
}  // namespace foldout
