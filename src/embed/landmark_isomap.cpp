// SPDX-License-Identifier: Apache-2.0
// Landmark Isomap: classical scaling of some landmarks; every other sample is placed by its geodesic distances to them,
//   y_k = Σ_l ½ (Y_lk / λ_k) (mean_m D²_lm − δ²_l).
// V. de Silva, J. Tenenbaum: Global versus local methods in nonlinear dimensionality reduction, NIPS 15 (2003). Time
// and memory grow with n times the number of landmarks instead of n².
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/check.h"
#include "core/keys.h"
#include "core/random.h"
#include "embed/isomap_fit.h"
#include "embed/scaling.h"
#include "embed/spectral.h"
#include "foldout/core/choices.h"
#include "foldout/embed/isomap.h"
#include "graph/affinity.h"
#include "graph/geodesics.h"

namespace foldout {

Fields fields(LandmarkIsomapOptions& o) {
  static constexpr Key n_landmarks{
      "n_landmarks", "number of landmarks, greater than n_components; auto: 100, or 10(d+1) if that is greater", "n",
      2};
  static constexpr Key landmarks{"landmarks", "each as far as possible from the previous ones, or drawn at random"};
  return {{key::n_components, o.n_components},
          {n_landmarks, o.n_landmarks},
          {landmarks, o.landmarks},
          {key::graph, o.graph},
          {key::n_neighbors, o.n_neighbors},
          {key::radius, o.radius},
          {key::metric, o.metric, key::kSampleMetrics},
          {key::search, o.search},
          {key::components, o.components},
          {key::seed, o.seed}};
}

namespace {

struct Landmarks {
  std::vector<Index> nodes;
  Matrix distances;  // one row per landmark: geodesic distance to every node
};

Landmarks random_landmarks(const SparseMatrix& lengths, Index count, std::uint64_t seed, const RunContext& context) {
  Landmarks landmarks{Rng(seed).permutation(lengths.rows()), {}};
  landmarks.nodes.resize(static_cast<std::size_t>(count));
  landmarks.distances = geodesic_distances(lengths, landmarks.nodes, context);
  return landmarks;
}

// Each landmark is the node farthest from all previous ones; the first is drawn at random.
Landmarks maxmin_landmarks(const SparseMatrix& lengths, Index count, std::uint64_t seed, const RunContext& context) {
  const Index n = lengths.rows();
  Landmarks landmarks{{}, Matrix(count, n)};
  Vector nearest = Vector::Constant(n, std::numeric_limits<double>::infinity());
  auto next = static_cast<Index>(Rng(seed).below(static_cast<std::uint64_t>(n)));
  for (Index l = 0; l < count; ++l) {
    landmarks.nodes.push_back(next);
    landmarks.distances.row(l) = geodesic_distances(lengths, {next}).row(0);
    nearest = nearest.cwiseMin(landmarks.distances.row(l).transpose());
    nearest[next] = -1;  // below the distance 0 of duplicates: a landmark is selected once
    for (const Index node : landmarks.nodes) nearest[node] = -1;
    nearest.maxCoeff(&next);
    context.tick("geodesics", static_cast<double>(l + 1) / static_cast<double>(count));
  }
  return landmarks;
}

}  // namespace

IsomapFit fit_landmark_isomap(const MatrixRef& samples, const LandmarkIsomapOptions& options,
                              const RunContext& context) {
  LandmarkIsomapOptions o = options;
  check_fields(fields(o), "landmark_isomap");
  require_samples(samples, 2, "landmark_isomap");
  IsomapFit fit;
  DistanceGraph graph = build_distance_graph(samples, distance_graph_options(o), context, fit.report);
  const Index n = graph.lengths.rows();
  constexpr int kFewest = 100;
  const Index count =
      o.n_landmarks ? *o.n_landmarks : std::min<Index>(n, std::max<Index>(kFewest, 10 * (Index{o.n_components} + 1)));
  if (count > n || count <= o.n_components)
    throw InvalidArgument(fmt::format(
        "landmark_isomap: n_landmarks = {} must be greater than n_components = {} and at most the number of "
        "samples, {}",
        count, o.n_components, n));
  require_memory(3.0 * 8 * static_cast<double>(n) * static_cast<double>(count),
                 fmt::format("landmark_isomap's distances of {} samples to {} landmarks", n, count),
                 "use fewer landmarks", context.memory_limit);
  Landmarks landmarks;
  {
    const PhaseTimer timer(fit.report, "geodesics", context);
    landmarks = o.landmarks == LandmarkChoice::kMaxMin ? maxmin_landmarks(graph.lengths, count, o.seed, context)
                                                       : random_landmarks(graph.lengths, count, o.seed, context);
  }
  Matrix B(count, count);
  for (Index l = 0; l < count; ++l)
    for (Index m = 0; m <= l; ++m) {
      const double d = std::min(landmarks.distances(l, landmarks.nodes[static_cast<std::size_t>(m)]),
                                landmarks.distances(m, landmarks.nodes[static_cast<std::size_t>(l)]));
      B(l, m) = B(m, l) = d * d;
    }
  Vector means = double_center(B);
  const Embedding scaled =
      scaled_eigenvectors(B, o.n_components, EigenSolver::kDense, o.seed, "landmark_isomap", context);
  keep_triangulation(scaled, std::move(means), fit);
  fit.report.figure("landmarks", static_cast<double>(count));
  fit.anchors = landmarks.nodes;
  fit.anchor_distances = landmarks.distances.transpose();
  Matrix gaps = -fit.anchor_distances.array().square();
  gaps.rowwise() += fit.triangulation.means.transpose();
  fit.coordinates = place_left_out(samples, graph.kept, gaps * fit.triangulation.P, o.n_neighbors, context);
  keep_graph(o, std::move(graph), fit);
  return fit;
}

}  // namespace foldout
