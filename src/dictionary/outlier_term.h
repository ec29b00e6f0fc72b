// SPDX-License-Identifier: Apache-2.0
// Private: samples with gross errors in a few features. Y − S, with a sparse S, is what the atoms are learned from.
#pragma once

#include <cstdint>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Y − S, where S is the part of Y − model beyond θ = `deviations` standard deviations, or all of it beyond 10θ. The
/// standard deviation is estimated from the 90th percentile of the errors; therefore fewer than a tenth of all values
/// may be corrupted.
[[nodiscard]] Matrix without_outliers(const MatrixRef& Y, const MatrixRef& model, double deviations);

/// The same before initialisation: `places` samples are drawn at random, and the median of the samples nearest to each
/// is computed. The model of a sample is the nearest of these medians; it replaces corrupted values.
[[nodiscard]] Matrix without_gross_errors(const MatrixRef& Y, Index places, double deviations, std::uint64_t seed,
                                          const RunContext& context);

}  // namespace foldout
