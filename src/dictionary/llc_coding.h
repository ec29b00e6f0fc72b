// SPDX-License-Identifier: Apache-2.0
// Private: the codes of llc.h, one sample at a time.
#pragma once

#include <span>

#include "dictionary/improve.h"
#include "foldout/dictionary/llc.h"

namespace foldout {

/// The code over all atoms; `cost` becomes the value of the minimum.
[[nodiscard]] Vector llc_code(const double* sample, const Matrix& atoms, const LlcWeights& weights, double& cost);

/// The affine combination of `chosen` atoms nearest to the sample; if there are several, the smallest.
[[nodiscard]] Vector affine_fit(const double* sample, const Matrix& atoms, std::span<const int> chosen);

}  // namespace foldout
