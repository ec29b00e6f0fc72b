// SPDX-License-Identifier: Apache-2.0
// A linear map fitted to pairs of samples and coordinates: y = Aᵀx + b. Works for any coordinates.
#pragma once

#include <optional>

#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct LinearExtensionOptions {
  bool intercept = true;               ///< b; without it y = Aᵀx, as in Raducanu and Dornaika (2013)
  std::optional<double> ridge = 1e-3;  ///< relative to trace/rank; auto: by leave-one-out; 0: least squares
};
[[nodiscard]] Fields fields(LinearExtensionOptions& options);

/// Approximate on training samples.
[[nodiscard]] Extension extend_linear(const MatrixRef& samples, const MatrixRef& coordinates,
                                      const LinearExtensionOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
