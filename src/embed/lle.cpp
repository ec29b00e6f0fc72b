// SPDX-License-Identifier: Apache-2.0
// Locally Linear Embedding. The weights that reconstruct a sample from its neighbours should reconstruct its
// coordinates:
//   min Σ_i ‖y_i − Σ_j w_ij y_j‖² = tr(Yᵀ M Y),  M = (I−W)ᵀ(I−W),  subject to  YᵀY/n = I, Yᵀ1 = 0.
// S. Roweis, L. Saul: Nonlinear Dimensionality Reduction by Locally Linear Embedding, Science 290 (2000).
#include "foldout/embed/lle.h"

#include <vector>

#include "core/check.h"
#include "core/keys.h"
#include "core/rows.h"
#include "embed/spectral.h"
#include "graph/neighborhoods.h"
#include "graph/reconstruction_weights.h"
#include "linalg/eigenpairs.h"

namespace foldout {

Fields fields(LleOptions& o) {
  return {{key::n_components, o.n_components},
          {key::n_neighbors, o.n_neighbors},
          {key::reg, o.reg},
          {key::metric, o.metric, key::kSampleMetrics},
          {key::search, o.search},
          {key::components, o.components},
          {key::solver, o.solver},
          {key::seed, o.seed}};
}

Embedding fit_lle(const MatrixRef& samples, const LleOptions& options, const RunContext& context) {
  LleOptions o = options;
  check_fields(fields(o), "lle");
  require_samples(samples, 2, "lle");
  Report report;
  const DistinctSamples distinct(samples, report);
  distinct.require_neighbors(o.n_neighbors, "lle");
  const Neighborhoods neighborhoods = find_neighborhoods(distinct.rows(), neighborhood_options(o), context, report);
  require_components(o.n_components, neighborhoods.size(), "lle");
  const KeptSamples kept(distinct.rows(), neighborhoods.kept);
  SparseMatrix M;
  {
    const PhaseTimer timer(report, "weights", context);
    // The cost of one neighbourhood, (y_i − Σ w_j y_j)², is yᵀ r rᵀ y with r = (1, −w).
    const std::vector<double> weights = neighborhood_weights(kept.rows(), neighborhoods, o.reg, context);
    M = align(
        neighborhoods, true, 1,
        [&](Index i, std::span<const int> members, Eigen::Ref<Matrix> r) {
          const double* w = weights.data() + neighborhoods.first[static_cast<std::size_t>(i)];
          r(0, 0) = 1;
          for (Index j = 1; j < std::ssize(members); ++j) r(j, 0) = -w[j - 1];
          return LocalCost::kOuter;
        },
        "weights", context);
  }
  const EigenOptions eigen{.n_pairs = o.n_components, .solver = o.solver, .seed = o.seed};
  return bottom_embedding(M, distinct, neighborhoods, eigen, context, std::move(report));
}

}  // namespace foldout
