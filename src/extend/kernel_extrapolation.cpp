// SPDX-License-Identifier: Apache-2.0
// y(x) = k(x, X) K⁺ Y with a truncated pseudo-inverse. S. Vishwanathan, K. Borgwardt, O. Guttman, A. Smola: Kernel
// extrapolation, Neurocomputing 69 (2006), in the form that Qiao et al. (2013) compare with. The kernel is not centred.
// Departure: the coordinates are, with intercept=true.
#include "foldout/extend/kernel_extrapolation.h"

#include <fmt/format.h>

#include "core/check.h"
#include "core/keys.h"
#include "extend/pairs.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/maps/explicit_map.h"
#include "graph/affinity.h"
#include "linalg/kernel.h"
#include "linalg/least_squares.h"
#include "maps/feature_map.h"

namespace foldout {

Fields fields(KernelExtrapolationOptions& o) {
  static constexpr Key kernel{.name = "kernel",
                              .meaning = "gaussian exp(−‖x−y‖²/width), polynomial (xᵀy+1)^degree, or linear",
                              .symbol = "k",
                              .elsewhere = key::kKernelElsewhere};
  static constexpr Key tolerance{"tolerance", "eigenvalues of K below this fraction of the largest are dropped", "", 0,
                                 1};
  return {{kernel, o.kernel, key::kSampleKernels},
          {key::kernel_width, o.width},
          {key::degree, o.degree},
          {tolerance, o.tolerance},
          {key::intercept, o.intercept}};
}

Extension extend_kernel_extrapolation(const MatrixRef& samples, const MatrixRef& coordinates,
                                      const KernelExtrapolationOptions& options, const RunContext& context) {
  KernelExtrapolationOptions o = options;
  check_fields(fields(o), "kernel_extrapolation");
  require_pairs(samples, coordinates, "kernel_extrapolation");
  const auto n = static_cast<double>(samples.rows());
  require_memory(3 * 8 * n * n, fmt::format("kernel_extrapolation of {} samples", samples.rows()),
                 "use the extension rbf with n_centers=1000", context.memory_limit);
  Kernel kernel{o.kernel, o.width.value_or(mean_squared_pair_distance(samples)), o.degree};
  if (!(kernel.width > 0)) kernel.width = 1;  // all samples coincide
  const CenteredCoordinates targets(coordinates, o.intercept);
  const Matrix K = kernel_matrix(kernel, samples, context);
  if (!K.allFinite())
    throw InvalidArgument(
        fmt::format("kernel_extrapolation: the {} kernel of these samples is beyond the range of double precision: "
                    "scale them, for example with the preprocessing step standardize",
                    name_of(o.kernel)));
  SymmetricSolution solution = solve_truncated(K, targets.Y, o.tolerance);
  Report report;
  report.figure("extension_rank", static_cast<double>(solution.rank));
  if (kernel.kind == KernelKind::kGaussian) report.figure("extension_width", kernel.width);
  const MapInfo info{"kernel_extrapolation", samples.cols(), coordinates.cols(), TrainingPromise::kApproximate};
  return {std::make_shared<ExplicitMap>(info, kernel_features(samples, kernel), std::move(solution.V), Vector(),
                                        targets.mean),
          std::move(report)};
}

}  // namespace foldout
