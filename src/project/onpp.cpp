// SPDX-License-Identifier: Apache-2.0
// Orthogonal neighbourhood preserving projections: NPE with orthonormal columns instead of uncorrelated coordinates,
//   min tr VᵀΦᵀMΦV  subject to  VᵀV = I.
// E. Kokiopoulou, Y. Saad: Orthogonal Neighborhood Preserving Projections, IEEE PAMI 29 (2007). Restricted to the row
// space of the features: outside of it the cost is zero and the coordinates are constant.
#include "foldout/project/onpp.h"

#include "core/check.h"
#include "project/neighbor_graphs.h"
#include "project/training_features.h"

namespace foldout {

Fields fields(OnppOptions& o) {
  static constexpr Key supervised{"supervised", "neighbours of the same class only"};
  return with_feature_keys({{key::n_components, o.n_components},
                            {key::n_neighbors, o.n_neighbors},
                            {supervised, o.supervised},
                            {key::reg, o.reg},
                            {key::components, o.components}},
                           o);
}

ProjectionFit fit_onpp(const MatrixRef& samples, const std::vector<int>& labels, const OnppOptions& options,
                       const RunContext& context) {
  OnppOptions o = options;
  check_fields(fields(o), "onpp");
  require_samples(samples, 2, "onpp");
  Report report;
  TrainingFeatures features = make_training_features(samples, feature_options(o), "onpp", context);
  const MatrixRef points = features.points(samples, o.graph_space);
  const ReconstructionOptions graph{o.supervised, o.n_neighbors, o.reg, o.components};
  const auto [IR, kept] = reconstruction_graph(points, labels, graph, "onpp", context, report);
  features = features_of_kept(std::move(features), samples, kept, feature_options(o), "onpp", context);
  const Index n = IR.rows();
  return project(samples, features,
                 {{.n = n, .root = IR}, SymmetricOperator::identity(n), Extremum::kSmallest, Scaling::kOrthonormal},
                 {.n_components = o.n_components, .method = "onpp"}, 1, std::move(report), context);
}

}  // namespace foldout
