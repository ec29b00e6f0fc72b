// SPDX-License-Identifier: Apache-2.0
// Local Tangent Space Alignment. In each neighbourhood the global coordinates should be an affine function of the local
// tangent coordinates: with G = [1/√k, U], U the first d left singular vectors of the centred neighbourhood,
//   min Σ_i ‖Y_i (I − G_i G_iᵀ)‖² = tr(Yᵀ M Y),  M = Σ_i S_i (I − G_i G_iᵀ) S_iᵀ.
// Z. Zhang, H. Zha: Principal Manifolds and Nonlinear Dimensionality Reduction via Tangent Space Alignment, SIAM J.
// Sci. Comput. 26 (2004). A neighbourhood of lower rank than d has fewer columns in U.
#include "foldout/embed/ltsa.h"

#include <fmt/format.h>

#include <atomic>
#include <cmath>

#include "core/check.h"
#include "core/keys.h"
#include "core/rows.h"
#include "embed/alignment.h"
#include "embed/spectral.h"
#include "graph/neighborhoods.h"
#include "linalg/eigenpairs.h"

namespace foldout {

Fields fields(LtsaOptions& o) {
  static constexpr Key include_self{"include_self", "a sample belongs to its own neighbourhood (scikit-learn: false)"};
  return {{key::n_components, o.n_components},
          {key::n_neighbors, o.n_neighbors},
          {include_self, o.include_self},
          {key::metric, o.metric, key::kSampleMetrics},
          {key::search, o.search},
          {key::components, o.components},
          {key::solver, o.solver},
          {key::seed, o.seed}};
}

SparseMatrix tangent_alignment_matrix(const MatrixRef& samples, const Neighborhoods& neighborhoods, int n_components,
                                      bool include_self, const RunContext& context, Report& report) {
  std::atomic<Index> flat{0};
  SparseMatrix M;
  {
    const PhaseTimer timer(report, "tangent spaces", context);
    M = align(
        neighborhoods, include_self, 1 + n_components,
        [&](Index, std::span<const int> members, Eigen::Ref<Matrix> G) {
          const ColMatrix U = tangent_coordinates(samples, members, n_components);
          if (U.cols() < n_components) ++flat;
          G.col(0).setConstant(1 / std::sqrt(static_cast<double>(members.size())));
          G.middleCols(1, U.cols()) = U;
          return LocalCost::kComplement;
        },
        "tangent spaces", context);
  }
  if (flat > 0)
    report.note("flat_neighborhoods", fmt::format("{} neighbourhoods span fewer than {} dimensions (duplicates, or too "
                                                  "few features); they were aligned in the dimensions they span",
                                                  flat.load(), n_components));
  return M;
}

Embedding fit_ltsa(const MatrixRef& samples, const LtsaOptions& options, const RunContext& context) {
  LtsaOptions o = options;
  check_fields(fields(o), "ltsa");
  require_samples(samples, 2, "ltsa");
  const Index size = Index{o.n_neighbors} + (o.include_self ? 1 : 0);
  if (size <= Index{o.n_components} + 1)
    throw InvalidArgument(fmt::format(
        "ltsa: n_neighbors = {} is too small for n_components = {}: a neighbourhood of {} samples is fitted exactly by "
        "any {} coordinates; raise n_neighbors to at least {}",
        o.n_neighbors, o.n_components, size, o.n_components, Index{o.n_components} + 2 - (o.include_self ? 1 : 0)));
  Report report;
  const DistinctSamples distinct(samples, report);
  distinct.require_neighbors(o.n_neighbors, "ltsa");
  const Neighborhoods neighborhoods = find_neighborhoods(distinct.rows(), neighborhood_options(o), context, report);
  require_components(o.n_components, neighborhoods.size(), "ltsa");
  const KeptSamples kept(distinct.rows(), neighborhoods.kept);
  const SparseMatrix M =
      tangent_alignment_matrix(kept.rows(), neighborhoods, o.n_components, o.include_self, context, report);
  const EigenOptions eigen{.n_pairs = o.n_components, .solver = o.solver, .seed = o.seed};
  return bottom_embedding(M, distinct, neighborhoods, eigen, context, std::move(report));
}

}  // namespace foldout
