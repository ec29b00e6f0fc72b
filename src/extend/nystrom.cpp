// SPDX-License-Identifier: Apache-2.0
// y_k(x) = (1/μ_k) Σ_i c_i(x) y_ik with the row-normalised kernel row c(x) of the graph's own rule.
// Y. Bengio et al.: Out-of-Sample Extensions for LLE, Isomap, MDS, Eigenmaps, and Spectral Clustering, NIPS 16 (2004);
// Eq. (1) of A. Mendoza Quispe, C. Petitjean, L. Heutte (2016).
// Laplacian Eigenmaps: K(x, x_i) = W(x, x_i)/√(d(x) d(x_i)) of Bengio et al. in the coordinates z = D^(−½) u is
//   z_k(x) = (1/μ_k) Σ_i W(x, x_i) z_ik / Σ_i W(x, x_i),  μ_k = 1 − λ_k.
// On an L1 graph W(x, ·) is |a| of the sparse code of x, and coordinates are divided only by μ_k > 0.2: dividing by
// smaller ones increases the error (measured).
// Diffusion maps: the same with W(x, x_i) q_i^(−α); the factor q(x)^(−α) of the row cancels.
#include "foldout/extend/nystrom.h"

#include <fmt/format.h>

#include <cmath>

#include "core/rows.h"
#include "extend/graph_coder.h"
#include "extend/load_map.h"
#include "extend/makers.h"
#include "foldout/core/choices.h"
#include "graph/graph_rule.h"
#include "maps/coded_map.h"

namespace foldout {
namespace {

constexpr double kSmallest = 1e-6;  // dividing by a smaller μ would only amplify rounding errors

// Coordinates of the kept samples, each column divided by its μ.
Matrix divided(const Matrix& coordinates, const std::vector<Index>& kept, const Vector& mu, Report& report) {
  Matrix Y = KeptSamples(coordinates, kept).rows();
  Index undivided = 0;
  for (Index k = 0; k < Y.cols(); ++k) {
    if (std::abs(mu[k]) >= kSmallest)
      Y.col(k) /= mu[k];
    else
      ++undivided;
  }
  if (undivided > 0)
    report.note(
        "nystrom_undivided",
        fmt::format(
            "{} of {} coordinates have an eigenvalue below {:g} and were not divided by it: new samples get the "
            "weighted mean of their neighbours. Reduce n_components",
            undivided, Y.cols(), kSmallest));
  return Y;
}

// An L1 graph's own rule for a new sample is its sparse code over the samples of the graph.
Map l1_map(const MatrixRef& samples, const auto& fit, const Vector& mu, const Vector& scale) {
  const Matrix Y = corrected_by(mu, KeptSamples(fit.coordinates, fit.kept).rows());
  const MapInfo info{"nystrom", samples.cols(), Y.cols(), TrainingPromise::kApproximate};
  return std::make_shared<CodedMap>(info, make_sparse_coder(KeptSamples(samples, fit.kept).rows(), scale), Y);
}

Extension graph_map(const MatrixRef& samples, const GraphRule& rule, const auto& fit, const Vector& mu, Vector scale) {
  if (rule.graph == GraphKind::kL1) return {l1_map(samples, fit, mu, scale), {}};
  Report report;
  Matrix Y = divided(fit.coordinates, fit.kept, mu, report);
  const bool all_divided = !report.has_note("nystrom_undivided");
  const MapInfo info{"nystrom", samples.cols(), Y.cols(),
                     rule.reproduces_rows && all_divided ? TrainingPromise::kExact : TrainingPromise::kApproximate};
  return {std::make_shared<CodedMap>(
              info,
              make_graph_coder(searched_samples(KeptSamples(samples, fit.kept).rows(), rule.search.metric), rule,
                               std::move(scale)),
              std::move(Y)),
          std::move(report)};
}

}  // namespace

Extension extend_nystrom(const MatrixRef& samples, const LaplacianEigenmapsFit& fit, const RunContext&) {
  return graph_map(samples, *fit.rule, fit, 1 - fit.eigenvalues.array(), {});
}

Extension extend_nystrom(const MatrixRef& samples, const DiffusionMapsFit& fit, const RunContext&) {
  return graph_map(samples, *fit.rule, fit, fit.eigenvalues, fit.density.array().pow(-fit.alpha));
}

Extension extend_nystrom(const MatrixRef& samples, const IsomapFit& fit, const RunContext&) {
  return {make_geodesic_map(samples, fit, {}, "nystrom"), {}};
}

Extension extend_nystrom(const MatrixRef& samples, const Embedding& fit, const LleOptions& options, const RunContext&) {
  const LleExtensionOptions o{.n_neighbors = options.n_neighbors,
                              .reg = options.reg,
                              .metric = options.metric,
                              .search = options.search,
                              .seed = options.seed};
  return {make_lle_map(samples, fit.coordinates, o, "nystrom"), {}};
}

}  // namespace foldout
