// SPDX-License-Identifier: Apache-2.0
// Kernel extrapolation: y(x) = mean + k(x, X) K⁺ (Y − mean), the function of smallest norm in the kernel's space
// through the coordinates. Works for any coordinates.
#pragma once

#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct KernelExtrapolationOptions {
  KernelKind kernel = KernelKind::kGaussian;  ///< k
  std::optional<double> width = {};           ///< β of the Gaussian; auto: mean squared distance of all pairs
  int degree = 2;                             ///< of the polynomial kernel
  double tolerance = 1e-8;                    ///< eigenvalues of K below this fraction of the largest are dropped
  bool intercept = true;                      ///< fit the deviations from the mean of the coordinates
};
[[nodiscard]] Fields fields(KernelExtrapolationOptions& options);

/// Approximate on training samples, because small eigenvalues are dropped.
[[nodiscard]] Extension extend_kernel_extrapolation(const MatrixRef& samples, const MatrixRef& coordinates,
                                                    const KernelExtrapolationOptions& options = {},
                                                    const RunContext& context = {});

}  // namespace foldout
