// SPDX-License-Identifier: Apache-2.0
// Which samples are joined: the edges of k-NN, mutual k-NN and ball graphs with their lengths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "foldout/core/check.h"
#include "foldout/core/error.h"
#include "foldout/graph/affinity.h"
#include "foldout/graph/components.h"

namespace foldout {
namespace {

// For each node its edges (neighbour, length); both directions of an edge are present.
using EdgeLists = NeighborLists;

EdgeLists knn_edges(const MatrixRef& X, const GraphOptions& options, const RunContext& context) {
  const NeighborOptions search{options.metric, options.search, options.seed};
  const NeighborTable table = nearest_neighbors(X, options.n_neighbors, search, context);
  EdgeLists lists(static_cast<std::size_t>(table.n));
  for (Index i = 0; i < table.n; ++i)
    for (Index j = 0; j < table.k; ++j) {
      const int other = table.of(i)[static_cast<std::size_t>(j)];
      const double length = table.distances_of(i)[static_cast<std::size_t>(j)];
      lists[static_cast<std::size_t>(i)].emplace_back(other, length);
      lists[static_cast<std::size_t>(other)].emplace_back(static_cast<int>(i), length);
    }
  // An edge named from both sides stands twice in each list: that is what mutual asks for, and either-or ignores.
  const bool mutual = options.graph == GraphKind::kMutual;
  for (auto& list : lists) {
    std::ranges::sort(list);
    std::vector<std::pair<int, double>> edges;
    for (std::size_t e = 0; e < list.size(); ++e) {
      const bool repeated = e + 1 < list.size() && list[e + 1].first == list[e].first;
      if (repeated || !mutual) edges.push_back(list[e]);
      if (repeated) ++e;
    }
    list = std::move(edges);
  }
  return lists;
}

double automatic_radius(const MatrixRef& X, const GraphOptions& options, const RunContext& context) {
  const Index k = std::min<Index>(options.n_neighbors, X.rows() - 1);
  const NeighborTable table = nearest_neighbors(X, k, {options.metric, options.search, options.seed}, context);
  double radius = 0;
  for (Index i = 0; i < table.n; ++i) radius = std::max(radius, table.distances_of(i).back());
  return radius > 0 ? radius : 1.0;
}

SparseMatrix to_sparse(const EdgeLists& lists) {
  const auto n = static_cast<Index>(lists.size());
  SparseMatrix matrix(n, n);
  Eigen::VectorXi counts(n);
  for (Index i = 0; i < n; ++i) counts[i] = static_cast<int>(lists[static_cast<std::size_t>(i)].size());
  matrix.reserve(counts);
  for (Index i = 0; i < n; ++i)
    for (const auto& [j, length] : lists[static_cast<std::size_t>(i)]) matrix.insert(i, j) = length;
  matrix.makeCompressed();
  return matrix;
}

void add_bridges(const std::vector<Gap>& bridges, EdgeLists& lists) {
  for (const Gap& bridge : bridges)
    for (const auto& [from, to] : {std::pair{bridge.from, bridge.to}, std::pair{bridge.to, bridge.from}}) {
      auto& list = lists[static_cast<std::size_t>(from)];
      const auto at = std::ranges::lower_bound(list, to, {}, &std::pair<int, double>::first);
      if (at == list.end() || at->first != to) list.insert(at, {to, bridge.distance});
    }
}

EdgeLists keep_only(const EdgeLists& lists, const std::vector<Index>& kept) {
  std::vector<int> number(lists.size(), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) number[static_cast<std::size_t>(kept[i])] = static_cast<int>(i);
  EdgeLists part(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (const auto& [j, length] : lists[static_cast<std::size_t>(kept[i])])
      part[i].emplace_back(number[static_cast<std::size_t>(j)], length);
  return part;
}

}  // namespace

DistanceGraph build_distance_graph(const MatrixRef& samples, const GraphOptions& options, const RunContext& context,
                                   Report& report) {
  const PhaseTimer timer(report, "neighbors");
  DistanceGraph graph;
  EdgeLists lists;
  if (options.graph == GraphKind::kBall) {
    graph.radius = options.radius.value_or(0);
    if (!options.radius) graph.radius = automatic_radius(samples, options, context);
    report.figure("radius", graph.radius);
    lists = neighbors_within(samples, graph.radius, {options.metric, options.search, options.seed}, context);
    for (auto& list : lists) std::ranges::sort(list);
  } else if (options.graph == GraphKind::kFull) {
    throw InvalidArgument("graph=full has no edge list: use knn, mutual or ball here");
  } else {
    lists = knn_edges(samples, options, context);
  }
  ComponentBuilder builder(samples.rows());
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (const auto& [j, length] : lists[i]) builder.join(static_cast<Index>(i), j);
  const NeighborListOptions policy{options.n_neighbors, options.metric, options.search, options.components,
                                   options.seed};
  ComponentRepair repair = repair_components(samples, builder, policy, context, report);
  if (!repair.kept.empty()) lists = keep_only(lists, repair.kept);
  add_bridges(repair.bridges, lists);
  graph.lengths = to_sparse(lists);
  graph.bridges = std::move(repair.bridges);
  graph.kept = std::move(repair.kept);
  return graph;
}

}  // namespace foldout
