// SPDX-License-Identifier: Apache-2.0
#include "foldout/embed/kpca.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/embed/mds.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

void expect_fit(const KpcaFit& fit, const Matrix& X, const oracle::Fit& expected) {
  EXPECT_LT(oracle::difference_up_to_sign(fit.coordinates, expected.coordinates), 1e-8);
  EXPECT_LT((fit.eigenvalues - expected.eigenvalues).cwiseAbs().maxCoeff(), 1e-10 * expected.eigenvalues[0]);
  const double size = fit.coordinates.cwiseAbs().maxCoeff();
  EXPECT_LT((fit.map->transform(X) - fit.coordinates).cwiseAbs().maxCoeff(), 1e-8 * size);
}

Matrix gaussian(const Matrix& X, double width) {
  return oracle::heat(oracle::distances(X, X), Matrix::Ones(X.rows(), X.rows()), width);
}

TEST(Kpca, FindsTheComponentsOfAGaussianKernel) {
  const Matrix X = dataset::roll(200);
  const double pairs = oracle::distances(X, X).squaredNorm() / (200.0 * 199.0);
  for (const auto solver : {EigenSolver::kAuto, EigenSolver::kDense, EigenSolver::kLanczos}) {
    const KpcaFit fit = fit_kpca(X, {.n_components = 4, .solver = solver});
    ASSERT_TRUE(fit.report.find_figure("width"));
    EXPECT_NEAR(*fit.report.find_figure("width"), pairs, 1e-10 * pairs);
    expect_fit(fit, X, oracle::kernel_pca(gaussian(X, pairs), 4));
  }
  expect_fit(fit_kpca(X, {.n_components = 3, .width = 50.0}), X, oracle::kernel_pca(gaussian(X, 50.0), 3));
}

TEST(Kpca, UsesLanczosForAFewComponentsOfMany) {
  const Matrix X = dataset::roll(450);
  const KpcaFit fit = fit_kpca(X, {.n_components = 3, .width = 100.0});
  EXPECT_EQ(*fit.report.find_fact("solver"), "lanczos");
  expect_fit(fit, X, oracle::kernel_pca(gaussian(X, 100.0), 3));
}

TEST(Kpca, SupportsPolynomialAndLinearKernels) {
  const Matrix X = Rng(2).normal_matrix(120, 5);
  Matrix products(120, 120);
  for (Index i = 0; i < 120; ++i)
    for (Index j = 0; j < 120; ++j) products(i, j) = X.row(i).dot(X.row(j));
  expect_fit(fit_kpca(X, {.n_components = 4, .kernel = KernelKind::kPolynomial, .degree = 3}), X,
             oracle::kernel_pca((products.array() + 1).cube(), 4));
  const KpcaFit linear = fit_kpca(X, {.n_components = 4, .kernel = KernelKind::kLinear});
  expect_fit(linear, X, oracle::kernel_pca(products, 4));
  EXPECT_LT(oracle::difference_up_to_sign(linear.coordinates, fit_mds(X, {.n_components = 4}).coordinates), 1e-8);
}

TEST(Kpca, RefusesMoreComponentsThanTheKernelHas) {
  const Matrix X = Rng(3).normal_matrix(50, 3);
  const std::string text =
      message_of<InvalidArgument>([&] { (void)fit_kpca(X, {.n_components = 4, .kernel = KernelKind::kLinear}); });
  EXPECT_TRUE(contains(text, "kpca: n_components = 4")) << text;
  EXPECT_THROW((void)fit_kpca(X, {}, {.memory_limit = 1000}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
