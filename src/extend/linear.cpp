// SPDX-License-Identifier: Apache-2.0
// min_A ‖Y − X A‖² (+ ridge): "linearization" of B. Raducanu, F. Dornaika (2013), Section 4.2, which has neither
// intercept nor ridge (intercept=false,ridge=0). Departure: a small ridge by default, since plain least squares is
// ill-conditioned if there are about as many samples as features.
#include "foldout/extend/linear.h"

#include "core/keys.h"
#include "extend/pairs.h"
#include "foldout/maps/explicit_map.h"
#include "linalg/least_squares.h"
#include "maps/feature_map.h"

namespace foldout {

Fields fields(LinearExtensionOptions& o) { return {{key::intercept, o.intercept}, {key::ridge, o.ridge}}; }

Extension extend_linear(const MatrixRef& samples, const MatrixRef& coordinates, const LinearExtensionOptions& options,
                        const RunContext&) {
  LinearExtensionOptions o = options;
  check_fields(fields(o), "linear");
  require_pairs(samples, coordinates, "linear");
  Vector offset, intercept;
  RidgeFit fit;
  if (o.intercept) {
    offset = samples.colwise().mean();
    intercept = coordinates.colwise().mean();
    fit = ridge_regression(samples.rowwise() - offset.transpose(), coordinates.rowwise() - intercept.transpose(),
                           o.ridge);
  } else {
    fit = ridge_regression(samples, coordinates, o.ridge);
  }
  Report report;
  report.figure("extension_ridge", fit.ridge);
  report.figure("extension_leave_one_out", fit.leave_one_out);
  const MapInfo info{"linear", samples.cols(), coordinates.cols(), TrainingPromise::kApproximate};
  return {std::make_shared<ExplicitMap>(info, identity_features(samples.cols()), std::move(fit.V), std::move(offset),
                                        std::move(intercept)),
          std::move(report)};
}

}  // namespace foldout
