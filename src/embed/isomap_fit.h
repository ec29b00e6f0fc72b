// SPDX-License-Identifier: Apache-2.0
// Private: the parts of a fit that Isomap and Landmark Isomap share.
#pragma once

#include <utility>

#include "foldout/embed/isomap.h"
#include "graph/affinity.h"

namespace foldout {

/// Eigenvalues of the scaled anchors, and the triangulation of further samples by their distances to the anchors.
inline void keep_triangulation(const Embedding& anchors, Vector means, IsomapFit& fit) {
  fit.report.absorb(anchors.report);
  fit.eigenvalues = anchors.eigenvalues;
  fit.triangulation.means = std::move(means);
  fit.triangulation.P = 0.5 * anchors.coordinates * fit.eigenvalues.cwiseInverse().asDiagonal();
}

/// The graph, and the rule by which it was built.
template <class Options>
void keep_graph(const Options& options, DistanceGraph graph, IsomapFit& fit) {
  fit.kept = std::move(graph.kept);
  fit.lengths.swap(graph.lengths);
  fit.graph = options.graph;
  fit.n_neighbors = options.n_neighbors;
  fit.metric = options.metric;
  fit.radius = graph.radius;
}

}  // namespace foldout
