// SPDX-License-Identifier: Apache-2.0
// Principal component analysis: y = Vᵀ(x − mean) with the directions V of largest variance, from the singular vectors
// of the centred samples. K. Pearson: On lines and planes of closest fit to systems of points in space (1901).
#include "foldout/project/pca.h"

#include <fmt/format.h>

#include "foldout/core/check.h"
#include "foldout/core/error.h"
#include "foldout/core/keys.h"
#include "foldout/linalg/principal_axes.h"

namespace foldout {

Fields fields(PcaOptions& o) { return {{key::n_components, o.n_components}}; }

PcaFit fit_pca(const MatrixRef& samples, const PcaOptions& options, const RunContext& context) {
  PcaOptions o = options;
  check_fields(fields(o), "pca");
  require_samples(samples, 2, "pca");
  PcaFit fit;
  {
    const PhaseTimer timer(fit.report, "singular vectors");
    const PrincipalAxes axes = principal_axes(samples);
    if (o.n_components > axes.axes.cols())
      throw InvalidArgument(
          fmt::format("pca: n_components = {}, but the {} samples of {} features span only {} dimensions: ask for at "
                      "most {}",
                      o.n_components, samples.rows(), samples.cols(), axes.axes.cols(), axes.axes.cols()));
    const MapInfo info{"pca", samples.cols(), o.n_components, TrainingPromise::kExact};
    fit.map = std::make_shared<ExplicitMap>(info, identity_features(samples.cols()), axes.axes.leftCols(o.n_components),
                                            axes.mean);
    fit.eigenvalues = axes.variances.head(o.n_components);
    fit.report.figure("explained_variance", axes.total_variance > 0 ? fit.eigenvalues.sum() / axes.total_variance : 0);
  }
  fit.coordinates = fit.map->transform(samples, context);
  return fit;
}

}  // namespace foldout
