// SPDX-License-Identifier: Apache-2.0
// Private: samples of which a few features are grossly wrong, Y = S + what the atoms are learnt from, with a sparse S.
#pragma once

#include <cstdint>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Y − S, where S is what Y is off its model beyond `deviations` standard deviations (all of it, beyond ten times as
/// much). These follow from what nine in ten errors stay below: it works while fewer than a tenth of all values are
/// wrong.
[[nodiscard]] Matrix without_outliers(const MatrixRef& Y, const MatrixRef& model, double deviations);

/// The same before there are atoms: the model of a sample is the nearest of `places` medians, each of the samples
/// around one that is drawn at random, and takes the place of what is wrong.
[[nodiscard]] Matrix without_gross_errors(const MatrixRef& Y, Index places, double deviations, std::uint64_t seed,
                                          const RunContext& context);

}  // namespace foldout
