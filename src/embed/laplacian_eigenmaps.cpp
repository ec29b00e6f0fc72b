// SPDX-License-Identifier: Apache-2.0
// Laplacian Eigenmaps. Nearby samples should stay near each other:
//   min Σ_ij W_ij (z_i − z_j)²  subject to  Zᵀ D Z = I, Zᵀ D 1 = 0,  solved by  L z = λ D z,  L = D − W.
// M. Belkin, P. Niyogi: Laplacian Eigenmaps for Dimensionality Reduction and Data Representation, Neural Computation 15
// (2003). With u = D^(½) z this is the ordinary problem D^(−½) L D^(−½) u = λ u, whose trivial vector D^(½) 1 is known
// and projected out.
#include "foldout/embed/laplacian_eigenmaps.h"

#include "core/check.h"
#include "core/keys.h"
#include "embed/fit_samples.h"
#include "embed/spectral.h"
#include "graph/affinity.h"
#include "graph/graph_rule.h"
#include "linalg/eigenpairs.h"

namespace foldout {

Fields fields(LaplacianEigenmapsOptions& o) {
  return {{key::n_components, o.n_components},
          {key::graph, o.graph},
          {key::n_neighbors, o.n_neighbors},
          {key::radius, o.radius},
          {key::weights, o.weights},
          {key::width, o.width},
          {key::width_rule, o.width_rule},
          {key::self_loops, o.self_loops},
          {key::metric_or_distances, o.metric},
          {key::search, o.search},
          {key::components, o.components},
          {key::solver, o.solver},
          {key::seed, o.seed}};
}

LaplacianEigenmapsFit fit_laplacian_eigenmaps(const MatrixRef& given, const LaplacianEigenmapsOptions& options,
                                              const RunContext& context) {
  LaplacianEigenmapsOptions o = options;
  check_fields(fields(o), "laplacian_eigenmaps");
  const FitSamples checked(given, o.metric, "laplacian_eigenmaps");
  require_graph_of_distances(graph_options(o, o.weights), "laplacian_eigenmaps");
  const MatrixRef& samples = checked.rows();
  LaplacianEigenmapsFit fit;
  AffinityGraph graph = build_affinity_graph(samples, graph_options(o, o.weights), context, fit.report);
  require_components(o.n_components, graph.size(), "laplacian_eigenmaps");
  fit.degrees = graph.degrees();
  fit.width = graph.width;
  fit.radius = graph.radius;
  fit.rule = std::make_shared<const GraphRule>(graph.rule);
  fit.kept = graph.kept;

  const EigenOptions eigen{.n_pairs = o.n_components, .solver = o.solver, .seed = o.seed};
  const Eigenpairs pairs = graph_eigenpairs(graph, fit.degrees, eigen, context, fit.report);
  ColMatrix Z = fit.degrees.cwiseSqrt().cwiseInverse().asDiagonal() * pairs.vectors;  // z = D^(−½) u
  fix_signs(Z);
  fit.eigenvalues = 1 - pairs.values.array();
  fit.coordinates = place_left_out(samples, graph.kept, Z, o.n_neighbors, context);
  return fit;
}

}  // namespace foldout
