// SPDX-License-Identifier: Apache-2.0
// The choice of the ridge of nppe and snppe, against a fit to part of the samples and a placement of the others.
#include <gtest/gtest.h>

#include "core/random.h"
#include "core/rows.h"
#include "foldout/project/nppe.h"
#include "graph/reconstruction_weights.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {
namespace {

// ‖y − Σ_j w_j y_j‖² of one sample in five, with weights over the others, relative to the variance.
double held_out_error(const Matrix& X, SnppeOptions options, double ridge) {
  const std::vector<Index> order = Rng(0).permutation(X.rows());
  const auto n_held = static_cast<std::ptrdiff_t>(X.rows() / 5);
  const Matrix held = rows_of(X, {order.begin(), order.begin() + n_held});
  const Matrix train = rows_of(X, {order.begin() + n_held, order.end()});
  options.ridge = ridge;
  const ProjectionFit fit = fit_snppe(train, options);
  const Matrix placed = fit.map->transform(held);
  const NeighborTable near = oracle::nearest(train, held, options.n_neighbors);
  double sum = 0;
  for (Index i = 0; i < held.rows(); ++i) {
    std::vector<double> weights(near.of(i).size());
    reconstruction_weights(held.row(i).data(), train, near.of(i), options.reg, weights);
    Eigen::RowVectorXd left = placed.row(i);
    for (std::size_t j = 0; j < weights.size(); ++j) left -= weights[j] * fit.coordinates.row(near.of(i)[j]);
    sum += left.squaredNorm();
  }
  return sum / static_cast<double>(held.rows()) /
         (fit.coordinates.squaredNorm() / static_cast<double>(fit.coordinates.rows()));
}

struct Case {
  const char* name;
  Index n, d;
};
class NppeRidge : public testing::TestWithParam<Case> {};

TEST_P(NppeRidge, IsTheSmallestThatPlacesHeldOutSamplesNearlyBest) {
  const auto [name, n, d] = GetParam();
  const Matrix X = dataset::lifted_roll(n, d) + 0.3 * Rng(4).normal_matrix(n, d);
  const SnppeOptions options{.n_components = 2, .n_neighbors = 8};
  const ProjectionFit fit = fit_snppe(X, options);
  const double chosen = *fit.report.find_figure("ridge");
  std::vector<double> errors;
  const std::vector<double> candidates{0, 1e-8, 1e-6, 1e-4, 1e-2, 1e-1};
  for (const double ridge : candidates) errors.push_back(held_out_error(X, options, ridge));
  const double best = *std::ranges::min_element(errors);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (candidates[i] < chosen) {
      EXPECT_GT(errors[i], 2 * best * (1 - 1e-6)) << candidates[i];
    }
    if (candidates[i] != chosen) continue;
    EXPECT_LE(errors[i], 2 * best * (1 + 1e-6));
    EXPECT_NEAR(*fit.report.find_figure("held_out_error"), errors[i], 1e-5 * errors[i]);
  }
}

// With 150 features, 120 samples do not span what 150 samples do.
INSTANTIATE_TEST_SUITE_P(Shapes, NppeRidge,
                         testing::Values(Case{"many_samples", 400, 6}, Case{"many_features", 500, 110},
                                         Case{"few_samples", 150, 75}),
                         [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace foldout
