// SPDX-License-Identifier: Apache-2.0
// Neighbourhood preserving embedding: the linear map that preserves the reconstruction of samples from their
// neighbours,
//   min vᵀΦᵀMΦv  subject to  vᵀΦᵀΦv = 1,  M = (I − R)ᵀ(I − R),  R the weights of LLE.
// X. He, D. Cai, S. Yan, H.-J. Zhang: Neighborhood Preserving Embedding, ICCV (2005); the same as NPP of Y. Pang et al.
// Features are centred and no solution is skipped: the first solution of a linear map is not trivial.
#include "foldout/project/npe.h"

#include <cmath>

#include "core/check.h"
#include "project/neighbor_graphs.h"
#include "project/training_features.h"

namespace foldout {

Fields fields(NpeOptions& o) {
  static constexpr Key supervised{"supervised", "neighbours of the same class only"};
  return with_feature_keys({{key::n_components, o.n_components},
                            {key::n_neighbors, o.n_neighbors},
                            {supervised, o.supervised},
                            {key::reg, o.reg},
                            {key::components, o.components},
                            {kRidgeOnCost, o.ridge}},
                           o);
}

ProjectionFit fit_npe(const MatrixRef& samples, const std::vector<int>& labels, const NpeOptions& options,
                      const RunContext& context) {
  NpeOptions o = options;
  check_fields(fields(o), "npe");
  require_samples(samples, 2, "npe");
  Report report;
  TrainingFeatures features = make_training_features(samples, feature_options(o), "npe", context);
  const MatrixRef points = features.points(samples, o.graph_space);
  const ReconstructionOptions graph{o.supervised, o.n_neighbors, o.reg, o.components};
  const auto [IR, kept] = reconstruction_graph(points, labels, graph, "npe", context, report);
  features = features_of_kept(std::move(features), samples, kept, feature_options(o), "npe", context);
  const Index n = IR.rows();
  return project(samples, features, {{.n = n, .root = IR}, SymmetricOperator::identity(n)},
                 {.n_components = o.n_components, .ridge = o.ridge, .method = "npe"}, std::sqrt(static_cast<double>(n)),
                 std::move(report), context);
}

}  // namespace foldout
