// SPDX-License-Identifier: Apache-2.0
#include "graph/affinity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/parallel.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"
#include "linalg/products.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

// The least weight of a bridge. Bridges may be long: their heat weight could underflow to 0, and the graph would be
// disconnected again.
constexpr double kLeastBridge = 1e-3;

double automatic_width(const MatrixRef& X, const DistanceGraph& edges, const GraphOptions& options) {
  double width = 0;
  if (options.width_rule != WidthRule::kPairs) {
    const Eigen::Map<const Vector> lengths(edges.lengths.valuePtr(), edges.lengths.nonZeros());
    double sum = lengths.squaredNorm();
    auto count = static_cast<double>(lengths.size());
    for (const Gap& bridge : edges.bridges) {  // bridges do not reflect the scale of neighbourhoods
      sum -= 2 * bridge.distance * bridge.distance;
      count -= 2;
    }
    width = count > 0 ? std::max(sum, 0.0) / count : 0;
  } else if (options.metric == Metric::kEuclidean) {
    width = mean_squared_pair_distance(X);
  } else {
    throw InvalidArgument("width_rule=pairs is for metric=euclidean: set width, or width_rule=edges");
  }
  return width > 0 ? width : 1.0;  // all samples coincide: every weight is 1, whatever the width
}

double cosine(const MatrixRef& X, Index i, Index j) {
  const double* a = X.row(i).data();
  const double* b = X.row(j).data();
  const double norms = std::sqrt(dot(a, a, X.cols()) * dot(b, b, X.cols()));
  if (norms == 0)
    throw InvalidArgument(
        fmt::format("row {} or {} has length 0, so its cosine is not defined: remove it, or use weights=heat", i, j));
  return std::max(0.0, dot(a, b, X.cols()) / norms);
}

void require_positive_degrees(const AffinityGraph& graph, const GraphOptions& options) {
  if (graph.kept.size() == 1)
    throw InvalidArgument(
        fmt::format("graph={} has no edges, so its largest component is one sample: use components=connect",
                    name_of(options.graph)));
  const Vector degrees = graph.degrees();
  Index lightest = 0;
  const double least = degrees.minCoeff(&lightest);
  if (least > 1e-300) return;
  throw InvalidArgument(fmt::format(
      "sample {} has zero weight to all its neighbours (weights={}, width={:.4g}): {}", lightest,
      name_of(options.weights), graph.width,
      options.weights == EdgeWeights::kHeat ? "raise width" : "its cosines are all negative, use weights=heat"));
}

// The mean over all pairs i ≠ j; 1 if all samples coincide.
double mean_of_pairs(const Matrix& squared_distances) {
  const auto n = static_cast<double>(squared_distances.rows());
  const double mean = (squared_distances.sum() - squared_distances.trace()) / (n * (n - 1));
  return mean > 0 ? mean : 1.0;
}

AffinityGraph full_graph(const MatrixRef& X, const GraphOptions& options, const RunContext& context) {
  const Index n = X.rows();
  require_memory(2.0 * 8 * static_cast<double>(n) * static_cast<double>(n),
                 fmt::format("the full graph of {} samples", n), "use graph=knn", context.memory_limit);
  AffinityGraph graph;
  switch (options.weights) {
    case EdgeWeights::kHeat:
      graph.dense = options.metric == Metric::kEuclidean ? squared_distances(X, X, context)
                                                         : Matrix(cosine_distances(X).array().square());
      graph.width = options.width ? *options.width : mean_of_pairs(graph.dense);
      graph.dense = (-graph.dense / graph.width).array().exp();
      break;
    case EdgeWeights::kBinary:
      graph.dense = Matrix::Ones(n, n);
      break;
    case EdgeWeights::kCosine:
      graph.dense = Matrix(n, n);
      parallel_for(n, context, [&](Index i) {
        for (Index j = 0; j < i; ++j) graph.dense(i, j) = cosine(X, i, j);
      });
      break;
  }
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) graph.dense(j, i) = graph.dense(i, j);
  graph.dense.diagonal().setConstant(options.self_loops ? 1.0 : 0.0);
  return graph;
}

double edge_weight(const MatrixRef& X, Index i, Index j, double length, const GraphOptions& options, double width) {
  switch (options.weights) {
    case EdgeWeights::kBinary:
      return 1;
    case EdgeWeights::kCosine:
      return cosine(X, i, j);
    case EdgeWeights::kHeat:
      break;
  }
  const double d2 = options.metric == Metric::kEuclidean ? squared_distance(X.row(i).data(), X.row(j).data(), X.cols())
                                                         : length * length;
  return std::exp(-d2 / width);
}

// Converts lengths to weights in place. Each is computed once, for i < j. As i ascends, the entries (j, i) are written
// in the order in which they are stored in row j.
void set_edge_weights(const MatrixRef& X, const GraphOptions& options, double width, SparseMatrix& W) {
  std::vector<int> next(W.outerIndexPtr(), W.outerIndexPtr() + W.rows());
  for (Index i = 0; i < W.rows(); ++i)
    for (int e = next[static_cast<std::size_t>(i)]; e < W.outerIndexPtr()[i + 1]; ++e) {
      const int j = W.innerIndexPtr()[e];
      const double weight = edge_weight(X, i, j, W.valuePtr()[e], options, width);
      W.valuePtr()[e] = weight;
      W.valuePtr()[next[static_cast<std::size_t>(j)]++] = weight;
    }
}

// Enforces the least weight of bridges and adds self-loops if requested.
void complete_weights(const std::vector<Gap>& bridges, const GraphOptions& options, SparseMatrix& W) {
  for (const Gap& bridge : bridges) {
    W.coeffRef(bridge.from, bridge.to) = std::max(W.coeff(bridge.from, bridge.to), kLeastBridge);
    W.coeffRef(bridge.to, bridge.from) = W.coeff(bridge.from, bridge.to);
  }
  W.makeCompressed();
  if (!options.self_loops) return;
  SparseMatrix identity(W.rows(), W.cols());
  identity.setIdentity();
  W = SparseMatrix(W + identity);
}

GraphRule rule_of(const GraphOptions& options, const AffinityGraph& graph, bool repaired) {
  const bool from_one_side = options.graph == GraphKind::kBall || options.graph == GraphKind::kFull;
  return {.graph = options.graph,
          .n_neighbors = static_cast<int>(std::min<Index>(options.n_neighbors, graph.size())),
          .radius = graph.radius,
          .weights = options.weights,
          .width = graph.width,
          .search = {options.metric, options.search, options.seed},
          .reproduces_rows = from_one_side && options.self_loops && !repaired};
}

}  // namespace

Vector AffinityGraph::degrees() const {
  if (is_dense()) return dense.rowwise().sum();
  return sparse * Vector::Ones(sparse.cols());
}

double mean_squared_pair_distance(const MatrixRef& X) {
  // Σ_{i,j} ‖x_i − x_j‖² = 2n Σ_i ‖x_i − mean‖²
  const auto n = static_cast<double>(X.rows());
  if (n < 2) return 0;
  const Eigen::RowVectorXd mean = X.colwise().mean();
  return 2 * (X.rowwise() - mean).squaredNorm() / (n - 1);
}

double mean_squared_cosine_distance(const MatrixRef& X) {
  // With v_i = x_i/‖x_i‖ − mean and a_i = ½‖v_i‖²: 1 − cos = a_i + a_j − v_iᵀv_j. Since Σ v_i = 0, the sum of squares
  // over all i, j is 2n Σ a² + 2 (Σ a)² + ‖VᵀV‖², without cancellation.
  const auto n = static_cast<double>(X.rows());
  if (n < 2) return 0;
  Matrix V = unit_rows(X);
  V.rowwise() -= V.colwise().mean().eval();
  const Vector a = V.rowwise().squaredNorm() / 2;
  const Matrix gram = V.cols() < V.rows() ? transposed_multiply(V, V) : multiply_transposed(V, V);
  return (2 * n * a.squaredNorm() + 2 * a.sum() * a.sum() + gram.squaredNorm()) / (n * (n - 1));
}

AffinityGraph build_affinity_graph(const MatrixRef& samples, const GraphOptions& options, const RunContext& context,
                                   Report& report) {
  AffinityGraph graph;
  if (options.graph == GraphKind::kFull) {
    const PhaseTimer timer(report, "graph", context);
    graph = full_graph(samples, options, context);
    graph.rule = rule_of(options, graph, false);
  } else {
    DistanceGraph edges = build_distance_graph(samples, options, context, report);
    const PhaseTimer timer(report, "graph", context);
    const KeptSamples kept(samples, edges.kept);
    report.figure("edges", static_cast<double>(edges.lengths.nonZeros()) / 2);
    graph.kept = edges.kept;
    graph.radius = edges.radius;
    if (options.graph == GraphKind::kL1) {
      graph.sparse.swap(edges.codes);  // moving a sparse matrix would copy it
    } else {
      if (options.weights == EdgeWeights::kHeat)
        graph.width = options.width.value_or(automatic_width(kept.rows(), edges, options));
      graph.sparse.swap(edges.lengths);
      set_edge_weights(kept.rows(), options, graph.width, graph.sparse);
    }
    complete_weights(edges.bridges, options, graph.sparse);
    graph.rule = rule_of(options, graph, !edges.bridges.empty() || !edges.kept.empty());
  }
  require_positive_degrees(graph, options);
  if (graph.width > 0) report.figure("width", graph.width);
  return graph;
}

}  // namespace foldout
