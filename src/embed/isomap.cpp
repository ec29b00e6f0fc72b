// SPDX-License-Identifier: Apache-2.0
// Isomap: classical scaling of the lengths of shortest paths through the neighbourhood graph.
// J. Tenenbaum, V. de Silva, J. Langford: A Global Geometric Framework for Nonlinear Dimensionality Reduction, Science
// 290 (2000). A new sample x with squared geodesic distances δ² to the training samples is placed at
//   y_k(x) = Σ_i ½ (Y_ik / λ_k) (mean_j D²_ij − δ²_i),
// which returns the training coordinates for training samples: see extend/geodesic.h.
#include "foldout/embed/isomap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"
#include "core/keys.h"
#include "core/parallel.h"
#include "embed/fit_samples.h"
#include "embed/isomap_fit.h"
#include "embed/scaling.h"
#include "embed/spectral.h"
#include "graph/affinity.h"
#include "graph/geodesic_rows.h"
#include "graph/geodesics.h"

namespace foldout {

Fields fields(IsomapOptions& o) {
  return {{key::n_components, o.n_components},
          {key::graph, o.graph},
          {key::n_neighbors, o.n_neighbors},
          {key::radius, o.radius},
          {key::metric_or_distances, o.metric},
          {key::search, o.search},
          {key::components, o.components},
          {key::solver, o.solver},
          {key::seed, o.seed}};
}

namespace {

// min(D_ij, D_ji)²: the two directions of a path may differ in the last bit.
void square_symmetric(Matrix& D, const RunContext& context) {
  constexpr Index kTile = 64;
  parallel_blocks(D.rows(), kTile, context, [&](Index begin, Index end) {
    for (Index left = 0; left < end; left += kTile)
      for (Index i = begin; i < end; ++i)
        for (Index j = left; j < std::min(left + kTile, i); ++j)
          D(i, j) = D(j, i) = std::pow(std::min(D(i, j), D(j, i)), 2);
  });
}

// A second table in memory, if there is room for it.
std::shared_ptr<const Matrix> kept_table(const Matrix& D, const RunContext& context) {
  const double room = context.memory_limit > 0 ? context.memory_limit : available_memory();
  if (D.rows() > kMostTableNodes || 8.0 * static_cast<double>(D.size()) > room) return nullptr;
  return std::make_shared<const Matrix>(D);
}

}  // namespace

IsomapFit fit_isomap(const MatrixRef& given, const IsomapOptions& options, const RunContext& context) {
  IsomapOptions o = options;
  check_fields(fields(o), "isomap");
  const FitSamples checked(given, o.metric, "isomap");
  require_graph_of_distances(distance_graph_options(o), "isomap");
  const MatrixRef& samples = checked.rows();
  const auto n_all = static_cast<double>(samples.rows());
  const double tables = o.solver == EigenSolver::kDense ? 3 : 1;  // LAPACK works on copies
  require_memory(tables * 8 * n_all * n_all,
                 fmt::format("isomap's table of geodesic distances between {} samples", samples.rows()),
                 "use landmark_isomap", context.memory_limit);
  IsomapFit fit;
  DistanceGraph graph = build_distance_graph(samples, distance_graph_options(o), context, fit.report);
  const Index n = graph.lengths.rows();
  require_components(o.n_components, n, "isomap");
  Matrix B;
  {
    const PhaseTimer timer(fit.report, "geodesics", context);
    std::vector<Index> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index{0});
    B = geodesic_distances(graph.lengths, all, context);
    fit.geodesics = kept_table(B, context);
    square_symmetric(B, context);
  }
  Vector means = double_center(B);
  const Embedding scaled = scaled_eigenvectors(B, o.n_components, o.solver, o.seed, "isomap", context);
  keep_triangulation(scaled, std::move(means), fit);
  fit.coordinates = place_left_out(samples, graph.kept, scaled.coordinates, o.n_neighbors, context);
  keep_graph(o, std::move(graph), fit);
  return fit;
}

}  // namespace foldout
