// SPDX-License-Identifier: Apache-2.0
// Conformal embedding analysis: samples on the unit sphere; small angles within a class, large angles between
// neighbours of different classes,
//   max pᵀỸ(D_d − W_d)Ỹᵀp / pᵀỸ(D_s − W_s)Ỹᵀp            Eqs. (7), (8)
// Y. Fu, M. Liu, T. Huang: Conformal Embedding Analysis with Local Graph Modeling on the Unit Hypersphere, CVPR (2007).
// Paper's Ỹ (D×n) is our Φᵀ, unit rows. Decisions: "dist = 1 − θ" must read 1 − cos θ; neighbours are those of largest
// cosine; "and vice versa" is rule=mutual, the default is either, because with few mutual neighbours classes become
// disconnected; the ridge is on D_s − W_s, in feature space for the kernel variant too; no mean is subtracted.
#include "foldout/project/cea.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

#include "core/check.h"
#include "foldout/core/error.h"
#include "graph/class_graphs.h"
#include "linalg/distance.h"
#include "project/training_features.h"

namespace foldout {

Fields fields(CeaOptions& o) {
  static constexpr Key components{"n_components", "coordinates per sample; auto: number of classes − 1", "d", 1};
  constexpr double kMost = std::numeric_limits<double>::infinity();
  static constexpr Key ks{"ks", "number of nearest samples of the same class", "k_s", 1, kMost, false, "all"};
  static constexpr Key kd{"kd", "number of nearest samples of other classes", "k_d", 1, kMost, false, "all"};
  static constexpr Key weights{
      "weights", "weights of both graphs: 1, exp((cos − 1)/t), or the latter with a t for each graph", "w"};
  static constexpr Key rule{"rule", "two samples are joined if either, or only if both, are neighbours of the other"};
  static constexpr Key t{"t", "scale of soft weights", "t", 0, 1e300, true};
  static constexpr Key ts{"ts", "scale of unbalanced weights within classes", "t_s", 0, 1e300, true};
  static constexpr Key td{"td", "scale of unbalanced weights between classes", "t_d", 0, 1e300, true};
  return with_feature_keys({{components, o.n_components},
                            {ks, o.ks},
                            {kd, o.kd},
                            {weights, o.weights},
                            {rule, o.rule},
                            {t, o.t},
                            {ts, o.ts},
                            {td, o.td},
                            {kRidgeOnDenominator, o.ridge}},
                           o);
}

namespace {

void require_directions(const MatrixRef& samples) {
  for (Index i = 0; i < samples.rows(); ++i)
    if ((samples.row(i).array() == 0).all())
      throw InvalidArgument(fmt::format(
          "cea: row {} has length 0 and therefore no angle to others: remove it, or preprocess the samples so "
          "that none is zero",
          i));
}

}  // namespace

ProjectionFit fit_cea(const MatrixRef& samples, const std::vector<int>& labels, const CeaOptions& options,
                      const RunContext& context) {
  CeaOptions o = options;
  check_fields(fields(o), "cea");
  require_samples(samples, 2, "cea");
  require_classes(labels, samples.rows(), "cea");
  require_directions(samples);
  const int d = o.n_components.value_or(static_cast<int>(std::set(labels.begin(), labels.end()).size()) - 1);
  FeatureOptions kind = feature_options(o);
  kind.unit_rows = true;
  kind.center = false;
  const TrainingFeatures features = make_training_features(samples, kind, "cea", context);
  const Matrix unit = unit_rows(features.points(samples, o.graph_space));
  const auto cosine = [&](Index i, Index j) { return dot(unit.row(i).data(), unit.row(j).data(), unit.cols()); };
  const auto weight = [&](double t) {
    return
        [&, t](Index i, Index j) { return o.weights == CeaWeights::kRigid ? 1.0 : std::exp((cosine(i, j) - 1) / t); };
  };
  const bool mutual = o.rule == CeaRule::kMutual, one_t = o.weights == CeaWeights::kSoft;
  Report report;
  SparseMatrix Ws, Wd;
  {
    const PhaseTimer timer(report, "graph", context);
    Ws = class_graph(labels, {Kinship::kSame, o.ks, mutual}, cosine, weight(one_t ? o.t : o.ts), context);
    require_edges(Ws, "cea");
    Wd = class_graph(labels, {Kinship::kDifferent, o.kd, mutual}, cosine, weight(one_t ? o.t : o.td), context);
  }
  return project(
      samples, features,
      {SymmetricOperator::laplacian(Wd), SymmetricOperator::laplacian(Ws), Extremum::kLargest, Scaling::kUnit},
      {.n_components = d, .or_fewer = !o.n_components, .ridge = o.ridge, .center = false, .method = "cea"}, 1,
      std::move(report), context);
}

}  // namespace foldout
