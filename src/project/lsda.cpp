// SPDX-License-Identifier: Apache-2.0
// Locality sensitive discriminant analysis: neighbours of the same class stay near, those of other classes move apart,
//   max vᵀΦᵀ(α L_b + (1 − α) W_w)Φv  subject to  vᵀΦᵀD_wΦv = 1.
// D. Cai, X. He, K. Zhou, J. Han, H. Bao: Locality Sensitive Discriminant Analysis, IJCAI (2007). The k nearest samples
// of each are split into those of its class (W_w) and the others (W_b); without k all samples are neighbours.
#include "foldout/project/lsda.h"

#include "core/check.h"
#include "graph/class_graphs.h"
#include "neighbors/neighbors.h"
#include "project/training_features.h"

namespace foldout {

Fields fields(LsdaOptions& o) {
  static constexpr Key n_neighbors{"n_neighbors", "neighbours per sample; auto: all samples", "k", 1};
  static constexpr Key alpha{"alpha", "weight of the separation of classes", "α", 0, 1};
  return with_feature_keys({{key::n_components, o.n_components},
                            {n_neighbors, o.n_neighbors},
                            {alpha, o.alpha},
                            {kRidgeOnDenominator, o.ridge}},
                           o);
}

namespace {

struct WithinAndBetween {
  SparseMatrix within, between;
};

WithinAndBetween split_graph(const MatrixRef& points, const std::vector<int>& labels, const LsdaOptions& o,
                             const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "graph", context);
  const auto none = [](Index, Index) { return 0.0; };
  const auto one = [](Index, Index) { return 1.0; };
  if (!o.n_neighbors)
    return {class_graph(labels, {.kinship = Kinship::kSame}, none, one, context),
            class_graph(labels, {.kinship = Kinship::kDifferent}, none, one, context)};
  const NeighborTable table = nearest_neighbors(points, *o.n_neighbors, {}, context);
  std::vector<Eigen::Triplet<double>> same, other;
  for (Index i = 0; i < points.rows(); ++i)
    for (const int j : table.of(i)) {
      auto& list = labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)] ? same : other;
      list.emplace_back(static_cast<int>(i), j, 1.0);
      list.emplace_back(j, static_cast<int>(i), 1.0);
    }
  const auto joined = [&](const std::vector<Eigen::Triplet<double>>& list) {
    SparseMatrix W(points.rows(), points.rows());
    W.setFromTriplets(list.begin(), list.end(), [](double, double b) { return b; });
    return W;
  };
  return {joined(same), joined(other)};
}

}  // namespace

ProjectionFit fit_lsda(const MatrixRef& samples, const std::vector<int>& labels, const LsdaOptions& options,
                       const RunContext& context) {
  LsdaOptions o = options;
  check_fields(fields(o), "lsda");
  require_samples(samples, 2, "lsda");
  require_classes(labels, samples.rows(), "lsda");
  const TrainingFeatures features = make_training_features(samples, feature_options(o), "lsda", context);
  const MatrixRef points = features.points(samples, o.graph_space);
  Report report;
  const WithinAndBetween graphs = split_graph(points, labels, o, context, report);
  require_edges(graphs.within, "lsda");
  SymmetricOperator objective = SymmetricOperator::laplacian(graphs.between);
  objective.diagonal *= o.alpha;
  objective.sparse = SparseMatrix(o.alpha * objective.sparse + (1 - o.alpha) * graphs.within);
  return project(samples, features,
                 {objective, SymmetricOperator::degrees(graphs.within), Extremum::kLargest, Scaling::kUnit},
                 {.n_components = o.n_components, .ridge = o.ridge, .method = "lsda"}, 1, std::move(report), context);
}

}  // namespace foldout
