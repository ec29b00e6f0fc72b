// SPDX-License-Identifier: Apache-2.0
// Diffusion maps: Euclidean distances compare the distributions of random walks from two samples after t steps,
//   k_α(x, y) = k(x, y) / (q(x)^α q(y)^α),  q(x) = Σ_y k(x, y);   P = D^(−1) K_α;   y_k = μ_k^t ψ_k,  P ψ_k = μ_k ψ_k.
// R. Coifman, S. Lafon: Diffusion maps, Appl. Comput. Harmon. Anal. 21 (2006). α = 1 removes the influence of the
// sampling density, α = 0 keeps it. ψ is scaled so that Σ_i π_i ψ_k(i)² = 1 with π the stationary distribution (ψ_0 =
// 1).
#include "foldout/embed/diffusion_maps.h"

#include <cmath>

#include "core/check.h"
#include "core/keys.h"
#include "embed/fit_samples.h"
#include "embed/spectral.h"
#include "graph/affinity.h"
#include "graph/graph_rule.h"
#include "linalg/eigenpairs.h"

namespace foldout {

Fields fields(DiffusionMapsOptions& o) {
  static constexpr Key alpha{"alpha", "normalisation of the sampling density: 0 keeps its influence, 1 removes it", "α",
                             0, 1};
  static constexpr Key time{"time", "steps of the random walk", "t", 0, 1e6};
  return {{key::n_components, o.n_components},
          {alpha, o.alpha},
          {time, o.time},
          {key::graph, o.graph},
          {key::n_neighbors, o.n_neighbors},
          {key::radius, o.radius},
          {key::width, o.width},
          {key::width_rule, o.width_rule},
          {key::self_loops, o.self_loops},
          {key::metric_or_distances, o.metric},
          {key::search, o.search},
          {key::components, o.components},
          {key::solver, o.solver},
          {key::seed, o.seed}};
}

DiffusionMapsFit fit_diffusion_maps(const MatrixRef& given, const DiffusionMapsOptions& options,
                                    const RunContext& context) {
  DiffusionMapsOptions o = options;
  check_fields(fields(o), "diffusion_maps");
  const FitSamples checked(given, o.metric, "diffusion_maps");
  require_graph_of_distances(graph_options(o, EdgeWeights::kHeat), "diffusion_maps");
  const MatrixRef& samples = checked.rows();
  DiffusionMapsFit fit;
  AffinityGraph graph = build_affinity_graph(samples, graph_options(o, EdgeWeights::kHeat), context, fit.report);
  require_components(o.n_components, graph.size(), "diffusion_maps");
  fit.width = graph.width;
  fit.radius = graph.radius;
  fit.alpha = o.alpha;
  fit.rule = std::make_shared<const GraphRule>(graph.rule);
  fit.kept = graph.kept;
  fit.density = graph.degrees();
  const Vector scale = fit.density.array().pow(-o.alpha);
  if (graph.is_dense())
    graph.dense = scale.asDiagonal() * graph.dense * scale.asDiagonal();
  else
    graph.sparse = scale.asDiagonal() * graph.sparse * scale.asDiagonal();
  fit.degrees = graph.degrees();

  const EigenOptions eigen{.n_pairs = o.n_components, .solver = o.solver, .seed = o.seed};
  const Eigenpairs pairs = graph_eigenpairs(graph, fit.degrees, eigen, context, fit.report);
  fit.eigenvalues = pairs.values;
  ColMatrix psi = std::sqrt(fit.degrees.sum()) * fit.degrees.cwiseSqrt().cwiseInverse().asDiagonal() * pairs.vectors;
  fix_signs(psi);
  const Matrix Y = psi * pairs.values.array().pow(o.time).matrix().asDiagonal();
  fit.coordinates = place_left_out(samples, graph.kept, Y, o.n_neighbors, context);
  return fit;
}

}  // namespace foldout
