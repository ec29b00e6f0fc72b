// SPDX-License-Identifier: Apache-2.0
// Locality preserving projections: the linear map that keeps joined samples near each other,
//   min vᵀΦᵀLΦv / vᵀΦᵀDΦv,  L = D − W.
// X. He, P. Niyogi: Locality Preserving Projections, NIPS 16 (2003). Supervised: samples of a class are joined. The
// ridge is on the cost. Features are centred, which excludes the constant solution.
#include "foldout/project/lpp.h"

#include "core/check.h"
#include "project/neighbor_graphs.h"
#include "project/training_features.h"

namespace foldout {

Fields fields(LppOptions& o) {
  static constexpr Key ridge{
      "ridge", "ridge on the cost, relative to trace/rank; auto: 0.1 if supervised, otherwise 1e-6", "", 0};
  static constexpr Key supervised{"supervised", "join samples of a class instead of neighbours"};
  static constexpr Key n_neighbors{"n_neighbors", "neighbours per sample; auto: 10, or all of the class if supervised",
                                   "k", 1};
  return with_feature_keys({{key::n_components, o.n_components},
                            {supervised, o.supervised},
                            {n_neighbors, o.n_neighbors},
                            {key::graph, o.graph},
                            {key::radius, o.radius},
                            {key::weights, o.weights},
                            {key::components, o.components},
                            {ridge, o.ridge}},
                           o);
}

ProjectionFit fit_lpp(const MatrixRef& samples, const std::vector<int>& labels, const LppOptions& options,
                      const RunContext& context) {
  LppOptions o = options;
  check_fields(fields(o), "lpp");
  require_samples(samples, 2, "lpp");
  Report report;
  TrainingFeatures features = make_training_features(samples, feature_options(o), "lpp", context);
  const MatrixRef points = features.points(samples, o.graph_space);
  const LocalityOptions graph{o.supervised, o.n_neighbors, o.graph, o.weights, o.width, o.radius, o.components};
  const auto [W, kept] = locality_graph(points, labels, graph, "lpp", context, report);
  features = features_of_kept(std::move(features), samples, kept, feature_options(o), "lpp", context);
  return project(
      samples, features,
      {SymmetricOperator::laplacian(W), SymmetricOperator::degrees(W), Extremum::kSmallest,
       o.supervised ? Scaling::kUnit : Scaling::kConstraint},
      {.n_components = o.n_components, .ridge = o.ridge.value_or(o.supervised ? 0.1 : 1e-6), .method = "lpp"}, 1,
      std::move(report), context);
}

}  // namespace foldout
