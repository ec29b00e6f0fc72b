// SPDX-License-Identifier: Apache-2.0
// (K + ridge) V = Y with K_ij = exp(−‖x_i − x_j‖²/β), a centre per training sample: the RBF method of B. Raducanu,
// F. Dornaika (2013), Section 4.2, there without a ridge and without an intercept (ridge=0,intercept=false). With fewer
// centres, least squares over K (n × centres).
#include "foldout/extend/rbf.h"

#include <fmt/format.h>

#include "core/check.h"
#include "core/keys.h"
#include "core/rows.h"
#include "dictionary/starting_atoms.h"
#include "extend/pairs.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/maps/explicit_map.h"
#include "graph/affinity.h"
#include "graph/neighborhoods.h"
#include "linalg/kernel.h"
#include "linalg/least_squares.h"
#include "linalg/products.h"
#include "maps/feature_map.h"

namespace foldout {

Fields fields(RbfOptions& o) {
  static constexpr Key n_centers{
      "n_centers", "number of spread-out training samples used as centres; auto: all training samples", "", 1};
  return {{n_centers, o.n_centers},
          {key::kernel_width, o.width},
          {key::ridge, o.ridge},
          {key::intercept, o.intercept},
          {key::seed, o.seed}};
}

Extension extend_rbf(const MatrixRef& samples, const MatrixRef& coordinates, const RbfOptions& options,
                     const RunContext& context) {
  RbfOptions o = options;
  check_fields(fields(o), "rbf");
  require_pairs(samples, coordinates, "rbf");
  if (o.n_centers && *o.n_centers > samples.rows())
    throw InvalidArgument(
        fmt::format("rbf: n_centers = {} must be at most n_samples = {}", *o.n_centers, samples.rows()));
  const Index m = o.n_centers.value_or(static_cast<int>(samples.rows()));
  require_memory(2.0 * 8 * static_cast<double>(samples.rows()) * static_cast<double>(m),
                 fmt::format("rbf with {} centres for {} samples", m, samples.rows()), "lower n_centers",
                 context.memory_limit);
  Kernel kernel{KernelKind::kGaussian, o.width.value_or(mean_squared_pair_distance(samples)), 1};
  if (!(kernel.width > 0)) kernel.width = 1;  // all samples coincide
  Report report;
  report.figure("extension_width", kernel.width);

  const CenteredCoordinates targets(coordinates, o.intercept);
  MapInfo info{"rbf", samples.cols(), coordinates.cols(), TrainingPromise::kApproximate};
  if (m < samples.rows()) {
    Matrix centers = rows_of(samples, spread_out(AllRows(samples), m, o.seed, context));
    RidgeFit fit = ridge_regression(kernel_rows(kernel, samples, centers), targets.Y, o.ridge);
    report.figure("extension_leave_one_out", fit.leave_one_out);
    return {std::make_shared<ExplicitMap>(info, kernel_features(std::move(centers), kernel), std::move(fit.V), Vector(),
                                          targets.mean),
            std::move(report)};
  }
  const DistinctSamples distinct(samples, report);
  const Matrix K = kernel_matrix(kernel, distinct.rows(), context);
  const Matrix Y = distinct.contract(targets.Y);
  SymmetricSolution solution = solve_positive_definite(K, Y, o.ridge);
  if (solution.rank < K.rows())
    report.note(
        "rbf_singular",
        fmt::format("the matrix of the {} centres has rank {} in double precision: its pseudo-inverse was used. "
                    "Increase ridge, or reduce width",
                    K.rows(), solution.rank));
  else if (o.ridge == 0 && distinct.expand(distinct.contract(coordinates)) == coordinates &&
           (multiply(K, solution.V) - Y).norm() <= 1e-9 * Y.norm())  // an ill-conditioned K misses the coordinates
    info.promise = TrainingPromise::kExact;
  return {std::make_shared<ExplicitMap>(info, kernel_features(distinct.rows(), kernel), std::move(solution.V), Vector(),
                                        targets.mean),
          std::move(report)};
}

}  // namespace foldout
