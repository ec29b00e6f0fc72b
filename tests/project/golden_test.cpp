// SPDX-License-Identifier: Apache-2.0
// Explicit maps of an independent prototype: see golden/README.md.
#include "support/golden.h"

#include <gtest/gtest.h>

#include "foldout/core/choices.h"
#include "foldout/io/files.h"
#include "foldout/project/cea.h"
#include "foldout/project/npe.h"
#include "foldout/project/nppe.h"
#include "foldout/project/onpp.h"

namespace foldout {
namespace {

// Up to sign and scale of each column.
double difference(const Matrix& ours, const Matrix& theirs) {
  double largest = 0;
  for (Index k = 0; k < theirs.cols(); ++k) {
    const Vector a = ours.col(k).normalized(), b = theirs.col(k).normalized();
    largest = std::max(largest, std::min((a - b).cwiseAbs().maxCoeff(), (a + b).cwiseAbs().maxCoeff()));
  }
  return largest;
}

TEST(ProjectGolden, PolynomialMapsAgree) {
  const Matrix X = golden("lle_samples"), fresh = golden("lle_new");
  const auto snppe = fit_snppe(X, {.n_neighbors = 8, .ridge = 0.0});
  EXPECT_LT(difference(snppe.coordinates, golden("snppe2")), 1e-10);
  EXPECT_LT(difference(snppe.map->transform(fresh), golden("snppe2_new")), 1e-10);
  EXPECT_LT(difference(fit_snppe(X, {.degree = 3, .n_neighbors = 8, .ridge = 0.0}).coordinates, golden("snppe3")),
            1e-10);
  EXPECT_LT(difference(fit_nppe(X, {.n_neighbors = 8, .ridge = 0.0}).coordinates, golden("nppe2")), 1e-10);
}

TEST(ProjectGolden, LinearMapsAgree) {
  const Matrix X = golden("lle_samples");
  EXPECT_LT(difference(fit_npe(X, {}, {.n_neighbors = 8, .ridge = 0}).coordinates, golden("npe")), 1e-10);
  EXPECT_LT((fit_onpp(X, {}, {.n_neighbors = 8}).coordinates.cwiseAbs() - golden("onpp").cwiseAbs()).norm(), 1e-8);
}

TEST(ProjectGolden, KernelOnppAgrees) {
  const Matrix X = golden("lle_samples"), fresh = golden("lle_new");
  OnppOptions options{
      .n_neighbors = 8, .features = FeatureKind::kKernel, .width = 200.0, .graph_space = GraphSpace::kFeatures};
  for (const std::string name : {"gaussian_onpp", "polynomial_onpp"}) {
    const auto fit = fit_onpp(X, {}, options);
    EXPECT_LT(difference(fit.coordinates, golden(name)), 1e-9) << name;
    EXPECT_LT(difference(fit.map->transform(fresh), golden(name + "_new")), 1e-9) << name;
    options.kernel = KernelKind::kPolynomial;
  }
}

TEST(ProjectGolden, CeaAgreesForEveryRuleWeightAndRidge) {
  const Matrix X = golden("cea_samples"), Z = golden("cea_coordinates"), lambda = golden("cea_eigenvalues");
  const std::vector<int> labels = load_labels("tests/golden/cea_labels.npy").index;
  Index number = 0;
  for (const CeaRule rule : {CeaRule::kEither, CeaRule::kMutual})
    for (const CeaWeights weights : {CeaWeights::kRigid, CeaWeights::kSoft, CeaWeights::kUnbalanced})
      for (const double ridge : {0.0, 0.01}) {
        const auto fit = fit_cea(X, labels,
                                 {.n_components = 12,
                                  .ks = 5,
                                  .kd = 8,
                                  .weights = weights,
                                  .rule = rule,
                                  .t = 0.5,
                                  .ts = 0.5,
                                  .td = 0.1,
                                  .ridge = ridge});
        const Matrix theirs = Z.middleRows(60 * number, 60);
        EXPECT_LT((turned(fit.coordinates, fit.coordinates, theirs) - theirs).cwiseAbs().maxCoeff(), 1e-9) << number;
        EXPECT_LT((fit.eigenvalues.array() / lambda.row(number).transpose().array() - 1).abs().maxCoeff(), 1e-9);
        ++number;
      }
}

TEST(ProjectGolden, KernelCeaAgrees) {
  const std::vector<int> labels = load_labels("tests/golden/cea_labels.npy").index;
  const auto fit = fit_cea(golden("cea_samples"), labels,
                           {.n_components = 6, .ks = 5, .features = FeatureKind::kKernel, .width = 2.0});
  EXPECT_LT(difference(fit.coordinates, golden("kernel_cea_coordinates")), 1e-9);
  EXPECT_LT((fit.eigenvalues - golden("kernel_cea_eigenvalues").col(0)).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(ProjectGolden, RelatedMethodsAgree) {
  const Matrix X = golden("lle_samples"), fresh = golden("lle_new");
  // A quadratic kernel with neighbours in input space is NPPE of degree 2; a linear kernel equals linear features.
  const auto nppe = fit_nppe(X, {.n_neighbors = 8, .ridge = 0.0});
  NpeOptions options{.n_neighbors = 8, .ridge = 0, .features = FeatureKind::kKernel, .kernel = KernelKind::kPolynomial};
  const auto kernel = fit_npe(X, {}, options);
  EXPECT_LT(difference(kernel.coordinates, nppe.coordinates), 1e-9);
  EXPECT_LT(difference(kernel.map->transform(fresh), nppe.map->transform(fresh)), 1e-9);
  options.kernel = KernelKind::kLinear;
  EXPECT_LT(difference(fit_npe(X, {}, options).coordinates, golden("npe")), 1e-9);
  options.features = FeatureKind::kPolynomial;
  EXPECT_LT(difference(fit_npe(X, {}, options).coordinates, nppe.coordinates), 1e-9);
}

}  // namespace
}  // namespace foldout
