// SPDX-License-Identifier: Apache-2.0
// Hessian LLE. Coordinates should have no curvature along the manifold: with tangent coordinates U of a neighbourhood,
// the columns H, the products U_a U_b (a ≤ b) orthogonalised against 1, U and each other, estimate the Hessian, and
//   min Σ_i ‖H_iᵀ Y_i‖² = tr(Yᵀ M Y),  M = Σ_i S_i H_i H_iᵀ S_iᵀ.
// D. Donoho, C. Grimes: Hessian eigenmaps, PNAS 100 (2003). Departures: the sample itself belongs to its neighbourhood
// (otherwise some samples would be in no neighbourhood, and have localised null vectors); the basis of the null space
// is scaled to unit covariance instead of a local isometry.
#include "foldout/embed/hessian_lle.h"

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

Fields fields(HessianLleOptions& o) {
  return {{key::n_components, o.n_components},
          {key::n_neighbors, o.n_neighbors},
          {key::metric, o.metric, key::kSampleMetrics},
          {key::search, o.search},
          {key::components, o.components},
          {key::solver, o.solver},
          {key::seed, o.seed}};
}

namespace {

// Orthonormal columns for the products of tangent coordinates, orthogonal to 1 and to the coordinates: thin QR by
// Gram-Schmidt, twice for accuracy. Columns that depend linearly on previous ones are dropped.
ColMatrix hessian_columns(const ColMatrix& U) {
  constexpr double kDependent = 1e-10;
  const Index k = U.rows(), d = U.cols(), n_products = d * (d + 1) / 2;
  ColMatrix Q(k, 1 + d + n_products);
  Q.col(0).setConstant(1 / std::sqrt(static_cast<double>(k)));
  Q.middleCols(1, d) = U;
  Index filled = 1 + d;
  for (Index a = 0; a < d; ++a)
    for (Index b = a; b < d; ++b) {
      Vector column = U.col(a).cwiseProduct(U.col(b));
      const double before = column.norm();
      for (int pass = 0; pass < 2; ++pass)
        for (Index c = 0; c < filled; ++c) column -= Q.col(c).dot(column) * Q.col(c);
      const double after = column.norm();
      if (after > kDependent * before) Q.col(filled++) = column / after;
    }
  return Q.middleCols(1 + d, filled - 1 - d);
}

}  // namespace

SparseMatrix hessian_matrix(const MatrixRef& samples, const Neighborhoods& neighborhoods, int n_components,
                            const RunContext& context, Report& report) {
  const Index d = n_components, needed = d + d * (d + 1) / 2;
  for (Index i = 0; i < neighborhoods.size(); ++i)
    if (std::ssize(neighborhoods.of(i)) < needed)
      throw InvalidArgument(fmt::format(
          "n_neighbors = {} must be at least {} for n_components = {}: d + d(d+1)/2 functions are fitted in each "
          "neighbourhood of Hessian LLE",
          neighborhoods.of(i).size(), needed, d));
  std::atomic<Index> flat{0};
  SparseMatrix M;
  {
    const PhaseTimer timer(report, "hessians", context);
    M = align(
        neighborhoods, true, d * (d + 1) / 2,
        [&](Index, std::span<const int> members, Eigen::Ref<Matrix> F) {
          const ColMatrix U = tangent_coordinates(samples, members, d);
          if (U.cols() < d) {  // no curvature can be estimated: keep the neighbourhood affine in its span
            ++flat;
            F.col(0).setConstant(1 / std::sqrt(static_cast<double>(members.size())));
            F.middleCols(1, U.cols()) = U;
            return LocalCost::kComplement;
          }
          const ColMatrix H = hessian_columns(U);
          F.leftCols(H.cols()) = H;
          return LocalCost::kOuter;
        },
        "hessians", context);
  }
  if (flat > 0)
    report.note("flat_neighborhoods",
                fmt::format("{} neighbourhoods span fewer than {} dimensions (duplicates, or too few features); their "
                            "coordinates were kept affine in the dimensions they span",
                            flat.load(), d));
  return M;
}

Embedding fit_hessian_lle(const MatrixRef& samples, const HessianLleOptions& options, const RunContext& context) {
  HessianLleOptions o = options;
  check_fields(fields(o), "hessian_lle");
  require_samples(samples, 2, "hessian_lle");
  const Index d = o.n_components, needed = d + d * (d + 1) / 2;
  if (o.n_neighbors < needed)
    throw InvalidArgument(fmt::format(
        "hessian_lle: n_neighbors = {} must be at least {} for n_components = {}: d + d(d+1)/2 functions are "
        "fitted in each neighbourhood",
        o.n_neighbors, needed, d));
  Report report;
  const DistinctSamples distinct(samples, report);
  distinct.require_neighbors(o.n_neighbors, "hessian_lle");
  const Neighborhoods neighborhoods = find_neighborhoods(distinct.rows(), neighborhood_options(o), context, report);
  require_components(d, neighborhoods.size(), "hessian_lle");
  const KeptSamples kept(distinct.rows(), neighborhoods.kept);
  const SparseMatrix M = hessian_matrix(kept.rows(), neighborhoods, o.n_components, context, report);
  const EigenOptions eigen{.n_pairs = d, .solver = o.solver, .seed = o.seed};
  return bottom_embedding(M, distinct, neighborhoods, eigen, context, std::move(report));
}

}  // namespace foldout
