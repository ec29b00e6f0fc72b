// SPDX-License-Identifier: Apache-2.0
// Principal component analysis: y = Vᵀ(x − mean) with the directions V of largest variance, from the singular vectors
// of the centred samples. K. Pearson: On lines and planes of closest fit to systems of points in space (1901). With
// features Φ of the samples: max tr VᵀΦᵀΦV, VᵀV = I; with kernel features these are the coordinates of kpca.
#include "foldout/project/pca.h"

#include <fmt/format.h>

#include "core/check.h"
#include "core/keys.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/svd.h"
#include "maps/feature_map.h"
#include "project/training_features.h"

namespace foldout {

Fields fields(PcaOptions& o) { return with_features({{key::fraction_or_components, o.n_components}}, o); }

namespace {

PcaFit fit_by_features(const MatrixRef& samples, const PcaOptions& o, const RunContext& context) {
  if (o.n_components.is_fraction())
    throw InvalidArgument(
        fmt::format("pca: n_components = {} is a fraction of the variance, which works with features=linear only: give "
                    "a whole number",
                    o.n_components.value()));
  const TrainingFeatures features = make_training_features(samples, feature_options(o), "pca", context);
  const auto identity = SymmetricOperator::identity(samples.rows());
  PcaFit fit = project(samples, features, {identity, identity, Extremum::kLargest, Scaling::kOrthonormal},
                       {.n_components = static_cast<int>(o.n_components.value()), .method = "pca"}, 1, {}, context);
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
    const Index d = axes.count(o.n_components, "pca");
    const MapInfo info{"pca", samples.cols(), d, TrainingPromise::kExact};
    fit.map = std::make_shared<ExplicitMap>(info, identity_features(samples.cols()), axes.axes.leftCols(d), axes.mean);
    fit.eigenvalues = axes.variances.head(d);
    fit.report.figure("explained_variance", axes.total_variance > 0 ? fit.eigenvalues.sum() / axes.total_variance : 0);
  }
  {
    const PhaseTimer timer(fit.report, "placing", context);
    fit.coordinates = fit.map->transform(samples, context);
  }
  return fit;
}

}  // namespace foldout
