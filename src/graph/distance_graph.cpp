// SPDX-License-Identifier: Apache-2.0
// Which samples are joined: the edges of k-NN, mutual k-NN and ball graphs with their lengths.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "foldout/core/check.h"
#include "foldout/core/error.h"
#include "foldout/graph/affinity.h"
#include "foldout/graph/components.h"

namespace foldout {
namespace {

struct Edge {
  int to;
  double length;
};

// For each node its edges in the order of the other end; both directions of an edge are present.
struct EdgeLists {
  std::vector<std::size_t> first;
  std::vector<Edge> edges;

  [[nodiscard]] std::size_t size() const { return first.size() - 1; }
  [[nodiscard]] std::span<const Edge> of(std::size_t i) const {
    return {edges.data() + first[i], first[i + 1] - first[i]};
  }
};

// The lists of the other ends: who named whom. They come out sorted, whatever the order was before.
EdgeLists reversed(const EdgeLists& lists) {
  EdgeLists other{std::vector<std::size_t>(lists.first.size(), 0), std::vector<Edge>(lists.edges.size())};
  for (const Edge& edge : lists.edges) ++other.first[static_cast<std::size_t>(edge.to) + 1];
  for (std::size_t i = 0; i < lists.size(); ++i) other.first[i + 1] += other.first[i];
  std::vector<std::size_t> next(other.first.begin(), other.first.end() - 1);
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (const Edge& edge : lists.of(i))
      other.edges[next[static_cast<std::size_t>(edge.to)]++] = {static_cast<int>(i), edge.length};
  return other;
}

EdgeLists from_table(const NeighborTable& table) {
  EdgeLists lists{std::vector<std::size_t>(static_cast<std::size_t>(table.n) + 1),
                  std::vector<Edge>(table.indices.size())};
  for (std::size_t i = 0; i < lists.first.size(); ++i) lists.first[i] = i * static_cast<std::size_t>(table.k);
  for (std::size_t e = 0; e < lists.edges.size(); ++e) lists.edges[e] = {table.indices[e], table.distances[e]};
  return lists;
}

EdgeLists knn_edges(const MatrixRef& X, const GraphOptions& options, const RunContext& context) {
  const NeighborOptions search{options.metric, options.search, options.seed};
  const EdgeLists named_by = reversed(from_table(nearest_neighbors(X, options.n_neighbors, search, context)));
  const EdgeLists names = reversed(named_by);
  const bool mutual = options.graph == GraphKind::kMutual;
  EdgeLists lists{{0}, {}};
  lists.first.reserve(names.first.size());
  lists.edges.reserve(2 * names.edges.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    // Merge the two sorted lists; an edge named from both sides stands in both.
    const auto own = names.of(i), others = named_by.of(i);
    std::size_t a = 0, b = 0;
    while (a < own.size() || b < others.size()) {
      const bool both = a < own.size() && b < others.size() && own[a].to == others[b].to;
      const bool take_own = b == others.size() || (a < own.size() && own[a].to <= others[b].to);
      if (both || !mutual) lists.edges.push_back(take_own ? own[a] : others[b]);
      if (take_own) ++a;
      if (both || !take_own) ++b;
    }
    lists.first.push_back(lists.edges.size());
  }
  return lists;
}

EdgeLists ball_edges(const MatrixRef& X, double radius, const GraphOptions& options, const RunContext& context) {
  EdgeLists lists{{0}, {}};
  for (auto& list : neighbors_within(X, radius, {options.metric, options.search, options.seed}, context)) {
    std::ranges::sort(list);
    for (const auto& [to, length] : list) lists.edges.push_back({to, length});
    lists.first.push_back(lists.edges.size());
  }
  return lists;
}

// Whether a walk from the first node reaches all.
bool is_connected(const EdgeLists& lists) {
  std::vector<char> reached(lists.size(), 0);
  std::vector<int> open{0};
  reached[0] = 1;
  std::size_t count = 1;
  while (!open.empty()) {
    const auto node = static_cast<std::size_t>(open.back());
    open.pop_back();
    for (const Edge& edge : lists.of(node))
      if (!reached[static_cast<std::size_t>(edge.to)]) {
        reached[static_cast<std::size_t>(edge.to)] = 1;
        open.push_back(edge.to);
        ++count;
      }
  }
  return count == lists.size();
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
  matrix.resizeNonZeros(static_cast<Index>(lists.edges.size()));
  std::ranges::copy(lists.first, matrix.outerIndexPtr());
  for (std::size_t e = 0; e < lists.edges.size(); ++e) {
    matrix.innerIndexPtr()[e] = lists.edges[e].to;
    matrix.valuePtr()[e] = lists.edges[e].length;
  }
  return matrix;
}

// The lists with bridges in their places; bridges join nodes that had no edge.
EdgeLists with_bridges(const EdgeLists& lists, const std::vector<Gap>& bridges) {
  std::vector<std::pair<int, Edge>> ends;
  for (const Gap& bridge : bridges) {
    ends.push_back({bridge.from, {bridge.to, bridge.distance}});
    ends.push_back({bridge.to, {bridge.from, bridge.distance}});
  }
  std::ranges::sort(ends, {}, [](const auto& end) { return std::pair{end.first, end.second.to}; });
  EdgeLists joined{{0}, {}};
  auto end = ends.begin();
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const Edge& edge : lists.of(i)) {
      for (; end != ends.end() && end->first == static_cast<int>(i) && end->second.to < edge.to; ++end)
        joined.edges.push_back(end->second);
      joined.edges.push_back(edge);
    }
    for (; end != ends.end() && end->first == static_cast<int>(i); ++end) joined.edges.push_back(end->second);
    joined.first.push_back(joined.edges.size());
  }
  return joined;
}

EdgeLists keep_only(const EdgeLists& lists, const std::vector<Index>& kept) {
  std::vector<int> number(lists.size(), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) number[static_cast<std::size_t>(kept[i])] = static_cast<int>(i);
  EdgeLists part{{0}, {}};
  for (const Index i : kept) {
    for (const Edge& edge : lists.of(static_cast<std::size_t>(i)))
      part.edges.push_back({number[static_cast<std::size_t>(edge.to)], edge.length});
    part.first.push_back(part.edges.size());
  }
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
    lists = ball_edges(samples, graph.radius, options, context);
  } else if (options.graph == GraphKind::kFull) {
    throw InvalidArgument("graph=full has no edge list: use knn, mutual or ball here");
  } else {
    lists = knn_edges(samples, options, context);
  }
  if (is_connected(lists)) {
    graph.lengths = to_sparse(lists);
    return graph;
  }
  ComponentBuilder builder(samples.rows());
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (const Edge& edge : lists.of(i)) builder.join(static_cast<Index>(i), edge.to);
  const NeighborListOptions policy{options.n_neighbors, options.metric, options.search, options.components,
                                   options.seed};
  ComponentRepair repair = repair_components(samples, builder, policy, context, report);
  if (!repair.kept.empty()) lists = keep_only(lists, repair.kept);
  if (!repair.bridges.empty()) lists = with_bridges(lists, repair.bridges);
  graph.lengths = to_sparse(lists);
  graph.bridges = std::move(repair.bridges);
  graph.kept = std::move(repair.kept);
  return graph;
}

}  // namespace foldout
