// SPDX-License-Identifier: Apache-2.0
// Private: the codes of llc.h, one sample at a time.
#pragma once

#include <span>

#include "dictionary/improve.h"
#include "foldout/dictionary/llc.h"

namespace foldout {

/// The code over all atoms; `cost` becomes what the minimum comes to.
[[nodiscard]] Vector llc_code(const double* sample, const Matrix& atoms, const LlcWeights& weights, double& cost);

/// The affine combination of `chosen` atoms that comes nearest to the sample, the smallest of several.
[[nodiscard]] Vector affine_fit(const double* sample, const Matrix& atoms, std::span<const int> chosen);

}  // namespace foldout
