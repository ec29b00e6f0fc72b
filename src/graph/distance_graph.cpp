// SPDX-License-Identifier: Apache-2.0
// The edges of k-NN, mutual k-NN, ball and L1 graphs with their lengths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/check.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "graph/affinity.h"
#include "graph/components.h"
#include "graph/l1_graph.h"
#include "graph/neighborhoods.h"
#include "linalg/metric_distances.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

// Edges are the entries of a sparse matrix: row i contains the lengths of the edges of node i, sorted by their other
// end; both directions of an edge are present.
std::span<const int> ends_of(const SparseMatrix& edges, Index i) {
  const int* first = edges.outerIndexPtr();
  return {edges.innerIndexPtr() + first[i], static_cast<std::size_t>(first[i + 1] - first[i])};
}

// Writes a matrix of edges, given the number of edges in each row (row i at i + 1, after a zero). Rows are sorted if
// `end` ascends from call to call.
class RowWriter {
 public:
  RowWriter(std::vector<int> lengths, SparseMatrix& edges) : next_(std::move(lengths)), edges_(edges) {
    const auto n = static_cast<Index>(next_.size()) - 1;
    std::partial_sum(next_.begin(), next_.end(), next_.begin());
    edges_.resize(n, n);
    edges_.resizeNonZeros(next_.back());
    std::ranges::copy(next_, edges_.outerIndexPtr());
  }
  void write(int row, Index end, double length) {
    const int at = next_[static_cast<std::size_t>(row)]++;
    edges_.innerIndexPtr()[at] = static_cast<int>(end);
    edges_.valuePtr()[at] = length;
  }

 private:
  std::vector<int> next_;
  SparseMatrix& edges_;
};

// The transpose of a neighbour table: for every node, the nodes that name it as a neighbour, ascending.
struct Named {
  struct By {
    int node;
    int entry;  // of the table
  };
  std::vector<int> first;
  std::vector<By> by;
  std::vector<char> one_way;  // for each entry of the table: whether the neighbour does not name the node in turn

  explicit Named(const NeighborTable& table)
      : first(static_cast<std::size_t>(table.n) + 1, 0), by(table.indices.size()), one_way(table.indices.size(), 0) {
    for (const int j : table.indices) ++first[static_cast<std::size_t>(j) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> next(first.begin(), first.end() - 1);
    int entry = 0;
    for (Index i = 0; i < table.n; ++i)
      for (const int j : table.of(i))
        by[static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++)] = {static_cast<int>(i), entry++};
    std::vector<int> named_last(static_cast<std::size_t>(table.n), -1);  // the last node that named this one
    for (int i = 0; i < table.n; ++i) {
      for (const int j : table.of(i)) named_last[static_cast<std::size_t>(j)] = i;
      for (const By& who : of(i))
        one_way[static_cast<std::size_t>(who.entry)] = named_last[static_cast<std::size_t>(who.node)] != i;
    }
  }
  [[nodiscard]] std::span<const By> of(Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return {by.data() + first[at], static_cast<std::size_t>(first[at + 1] - first[at])};
  }
};

SparseMatrix knn_edges(const MatrixRef& X, const GraphOptions& options, const RunContext& context) {
  const NeighborTable table =
      nearest_neighbors(X, options.n_neighbors, {options.metric, options.search, options.seed}, context);
  const Named named(table);
  const bool mutual = options.graph == GraphKind::kMutual;
  std::vector<int> lengths{0};
  lengths.reserve(static_cast<std::size_t>(table.n) + 1);
  for (Index i = 0; i < table.n; ++i) {
    int one_way = 0;
    for (const auto& [node, entry] : named.of(i)) one_way += named.one_way[static_cast<std::size_t>(entry)];
    lengths.push_back(mutual ? static_cast<int>(named.of(i).size()) - one_way : static_cast<int>(table.k) + one_way);
  }
  SparseMatrix edges;
  RowWriter rows(std::move(lengths), edges);
  std::size_t e = 0;
  for (Index i = 0; i < table.n; ++i) {
    for (const int j : table.of(i)) {
      if (!mutual || !named.one_way[e]) rows.write(j, i, table.distances[e]);
      ++e;
    }
    if (mutual) continue;
    for (const auto& [node, entry] : named.of(i))
      if (named.one_way[static_cast<std::size_t>(entry)])
        rows.write(node, i, table.distances[static_cast<std::size_t>(entry)]);
  }
  return edges;
}

SparseMatrix ball_edges(const MatrixRef& X, double radius, const GraphOptions& options, const RunContext& context) {
  const NeighborLists lists = neighbors_within(X, radius, {options.metric, options.search, options.seed}, context);
  std::vector<int> lengths{0};
  for (const auto& list : lists) lengths.push_back(static_cast<int>(list.size()));
  SparseMatrix edges;
  RowWriter rows(std::move(lengths), edges);
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (const auto& [to, length] : lists[i]) rows.write(to, static_cast<Index>(i), length);
  return edges;
}

// The edges of an L1 graph: those of its weights.
SparseMatrix l1_edges(const MatrixRef& X, const SparseMatrix& W, const GraphOptions& options) {
  const bool angle = by_angle(options.metric);
  const Matrix unit = angle ? directions(X, options.metric) : Matrix();
  const MatrixRef& points = angle ? MatrixRef(unit) : X;
  SparseMatrix edges = W;  // NOLINT(performance-unnecessary-copy-initialization): the iterator writes to it
  for (Index i = 0; i < edges.rows(); ++i)
    for (SparseMatrix::InnerIterator it(edges, i); it; ++it)
      it.valueRef() = distance_of(options.metric, points.row(i).data(), points.row(it.col()).data(), points.cols());
  return edges;
}

// Whether all nodes can be reached from the first.
bool is_connected(const SparseMatrix& edges) {
  std::vector<char> reached(static_cast<std::size_t>(edges.rows()), 0);
  std::vector<int> open{0};
  reached[0] = 1;
  Index count = 1;
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    for (const int end : ends_of(edges, node))
      if (!reached[static_cast<std::size_t>(end)]) {
        reached[static_cast<std::size_t>(end)] = 1;
        open.push_back(end);
        ++count;
      }
  }
  return count == edges.rows();
}

double automatic_radius(const MatrixRef& X, const GraphOptions& options, const RunContext& context) {
  const Index k = std::min<Index>(options.n_neighbors, X.rows() - 1);
  const NeighborTable table = nearest_neighbors(X, k, {options.metric, options.search, options.seed}, context);
  double radius = 0;
  for (Index i = 0; i < table.n; ++i) radius = std::max(radius, table.distances_of(i).back());
  return radius > 0 ? radius : 1.0;
}

// How to join more samples.
std::string remedy_of(const GraphOptions& options, const DistanceGraph& graph) {
  if (options.graph == GraphKind::kL1) return {};
  if (options.graph == GraphKind::kBall) return fmt::format("raise radius (now {:.4g})", graph.radius);
  return fmt::format("raise n_neighbors (now {})", options.n_neighbors);
}

// The edges with bridges added, which join nodes without an edge.
SparseMatrix with_bridges(const SparseMatrix& edges, const std::vector<Gap>& bridges) {
  std::vector<Eigen::Triplet<double, int>> both;
  for (const Gap& bridge : bridges) {
    both.emplace_back(bridge.from, bridge.to, bridge.distance);
    both.emplace_back(bridge.to, bridge.from, bridge.distance);
  }
  SparseMatrix joints(edges.rows(), edges.cols());
  joints.setFromTriplets(both.begin(), both.end());
  return edges + joints;
}

// The edges among the kept nodes, which have no edges to others.
SparseMatrix keep_only(const SparseMatrix& edges, const std::vector<Index>& kept) {
  std::vector<int> number(static_cast<std::size_t>(edges.rows()), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) number[static_cast<std::size_t>(kept[i])] = static_cast<int>(i);
  std::vector<int> lengths{0};
  for (const Index i : kept) lengths.push_back(static_cast<int>(ends_of(edges, i).size()));
  SparseMatrix part;
  RowWriter rows(std::move(lengths), part);
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (SparseMatrix::InnerIterator it(edges, kept[i]); it; ++it)
      rows.write(number[static_cast<std::size_t>(it.col())], static_cast<Index>(i), it.value());
  return part;
}

}  // namespace

DistanceGraph build_distance_graph(const MatrixRef& samples, const GraphOptions& options, const RunContext& context,
                                   Report& report) {
  const PhaseTimer timer(report, "neighbors", context);
  if (options.graph == GraphKind::kFull)
    throw InvalidArgument("graph=full has no edge list: use knn, mutual, ball or l1 here");
  DistanceGraph graph;
  if (options.graph == GraphKind::kBall) {
    graph.radius = options.radius.value_or(0);
    if (!options.radius) graph.radius = automatic_radius(samples, options, context);
    report.figure("radius", graph.radius);
  }
  SparseMatrix edges;
  if (options.graph == GraphKind::kL1) {
    graph.codes = l1_weights(samples, context, report);
    edges = l1_edges(samples, graph.codes, options);
  } else {
    edges = options.graph == GraphKind::kBall ? ball_edges(samples, graph.radius, options, context)
                                              : knn_edges(samples, options, context);
  }
  if (!is_connected(edges)) {
    ComponentBuilder builder(samples.rows());
    for (Index i = 0; i < edges.rows(); ++i)
      for (const int end : ends_of(edges, i)) builder.join(i, end);
    const NeighborListOptions policy{options.n_neighbors, options.metric, options.search, options.components,
                                     options.seed};
    ComponentRepair repair = repair_components(samples, builder, policy, remedy_of(options, graph), context, report);
    if (!repair.kept.empty()) edges = keep_only(edges, repair.kept);
    if (!repair.kept.empty() && options.graph == GraphKind::kL1) graph.codes = keep_only(graph.codes, repair.kept);
    if (!repair.bridges.empty()) edges = with_bridges(edges, repair.bridges);
    graph.bridges = std::move(repair.bridges);
    graph.kept = std::move(repair.kept);
  }
  graph.lengths.swap(edges);  // moving a sparse matrix would copy it
  return graph;
}

}  // namespace foldout
