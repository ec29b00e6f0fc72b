// SPDX-License-Identifier: Apache-2.0
// Principal component analysis: y = Vᵀ(x − mean) with the directions V of largest variance, from the singular vectors
// of the centred samples. K. Pearson: On lines and planes of closest fit to systems of points in space (1901). With
// features Φ of the samples: max tr VᵀΦᵀΦV, VᵀV = I; with kernel features these are the coordinates of kpca.
#include "foldout/project/pca.h"

#include "core/check.h"
#include "core/keys.h"
#include "foldout/core/choices.h"
#include "linalg/svd.h"
#include "maps/feature_map.h"
#include "project/training_features.h"

namespace foldout {

Fields fields(PcaOptions& o) { return with_features({{key::n_components, o.n_components}}, o); }

namespace {

PcaFit fit_by_features(const MatrixRef& samples, const PcaOptions& o, const RunContext& context) {
  const TrainingFeatures features = make_training_features(samples, feature_options(o), "pca", context);
  const auto identity = SymmetricOperator::identity(samples.rows());
  PcaFit fit = project(samples, features, {identity, identity, Extremum::kLargest, Scaling::kOrthonormal},
                       {.n_components = o.n_components, .method = "pca"}, 1, {}, context);
  fit.eigenvalues /= static_cast<double>(samples.rows());
  return fit;
}

}  // namespace

PcaFit fit_pca(const MatrixRef& samples, const PcaOptions& options, const RunContext& context) {
  PcaOptions o = options;
  check_fields(fields(o), "pca");
  require_samples(samples, 2, "pca");
  if (o.features != FeatureKind::kLinear) return fit_by_features(samples, o, context);
  PcaFit fit;
  {
    const PhaseTimer timer(fit.report, "singular vectors", context);
    const PrincipalAxes axes = principal_axes(samples);
    require_rank(axes.axes.cols(), o.n_components, "samples", "pca");
    const MapInfo info{"pca", samples.cols(), o.n_components, TrainingPromise::kExact};
    fit.map = std::make_shared<ExplicitMap>(info, identity_features(samples.cols()), axes.axes.leftCols(o.n_components),
                                            axes.mean);
    fit.eigenvalues = axes.variances.head(o.n_components);
    fit.report.figure("explained_variance", axes.total_variance > 0 ? fit.eigenvalues.sum() / axes.total_variance : 0);
  }
  {
    const PhaseTimer timer(fit.report, "placing", context);
    fit.coordinates = fit.map->transform(samples, context);
  }
  return fit;
}

}  // namespace foldout
