// SPDX-License-Identifier: Apache-2.0
#include "project/neighbor_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "foldout/core/error.h"
#include "graph/affinity.h"
#include "graph/class_graphs.h"
#include "graph/neighborhoods.h"
#include "graph/reconstruction_weights.h"
#include "linalg/distance.h"
#include "project/training_features.h"

namespace foldout {
namespace {

SparseMatrix class_locality(const MatrixRef& X, const std::vector<int>& labels, const LocalityOptions& o,
                            const RunContext& context) {
  double width = o.width.value_or(mean_squared_pair_distance(X));
  if (!(width > 0)) width = 1;
  const auto d2 = [&](Index i, Index j) { return squared_distance(X.row(i).data(), X.row(j).data(), X.cols()); };
  const auto weight = [&](Index i, Index j) {
    if (o.weights == EdgeWeights::kBinary) return 1.0;
    if (o.weights == EdgeWeights::kHeat) return std::exp(-d2(i, j) / width);
    const double norms = length(X.row(i).data(), X.cols()) * length(X.row(j).data(), X.cols());
    return norms > 0 ? std::max(0.0, dot(X.row(i).data(), X.row(j).data(), X.cols()) / norms) : 0.0;
  };
  return class_graph(
      labels, {.kinship = Kinship::kSame, .n_neighbors = o.n_neighbors}, [&](Index i, Index j) { return -d2(i, j); },
      weight, context);
}

}  // namespace

GraphMatrix locality_graph(const MatrixRef& points, const std::vector<int>& labels, const LocalityOptions& o,
                           std::string_view method, const RunContext& context, Report& report) {
  if (o.supervised) {
    require_classes(labels, points.rows(), method);
    const PhaseTimer timer(report, "graph", context);
    GraphMatrix graph{class_locality(points, labels, o, context), {}};
    require_edges(graph.matrix, method);
    report.figure("edges", static_cast<double>(graph.matrix.nonZeros()) / 2);
    return graph;
  }
  const int automatic = static_cast<int>(std::clamp<Index>(points.rows() - 1, 1, 10));
  AffinityGraph graph = build_affinity_graph(points,
                                             {.graph = o.graph,
                                              .n_neighbors = o.n_neighbors.value_or(automatic),
                                              .radius = o.radius,
                                              .weights = o.weights,
                                              .width = o.width,
                                              .components = o.components},
                                             context, report);
  return {graph.is_dense() ? SparseMatrix(graph.dense.sparseView()) : graph.sparse, std::move(graph.kept)};
}

GraphMatrix reconstruction_graph(const MatrixRef& points, const std::vector<int>& labels,
                                 const ReconstructionOptions& o, std::string_view method, const RunContext& context,
                                 Report& report) {
  Neighborhoods neighborhoods;
  if (o.supervised) {
    const Index n = points.rows();
    require_classes(labels, n, method);
    const PhaseTimer timer(report, "graph", context);
    const SparseMatrix kin = class_graph(
        labels, {.kinship = Kinship::kSame}, [](Index, Index) { return 0.0; }, [](Index, Index) { return 1.0; },
        context);
    neighborhoods.first.push_back(0);
    for (Index i = 0; i < n; ++i) {
      std::vector<std::pair<double, int>> near;
      for (SparseMatrix::InnerIterator it(kin, i); it; ++it)
        near.emplace_back(squared_distance(points.row(i).data(), points.row(it.col()).data(), points.cols()),
                          static_cast<int>(it.col()));
      if (near.empty())
        throw InvalidArgument(
            fmt::format("{}: sample {} is the only one of its class and cannot be reconstructed from others: "
                        "remove it, or use supervised=false",
                        method, i));
      std::ranges::sort(near);
      near.resize(std::min(near.size(), static_cast<std::size_t>(o.n_neighbors)));
      for (const auto& [distance, j] : near) {
        neighborhoods.neighbors.push_back(j);
        neighborhoods.distances.push_back(std::sqrt(distance));
      }
      neighborhoods.first.push_back(static_cast<Index>(neighborhoods.neighbors.size()));
    }
  } else {
    neighborhoods =
        find_neighborhoods(points, {.n_neighbors = o.n_neighbors, .components = o.components}, context, report);
  }
  const PhaseTimer timer(report, "weights", context);
  const KeptSamples kept(points, neighborhoods.kept);
  return {reconstruction_residuals(kept.rows(), neighborhoods, o.reg, context), std::move(neighborhoods.kept)};
}

}  // namespace foldout
