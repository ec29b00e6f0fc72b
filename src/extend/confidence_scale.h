// SPDX-License-Identifier: Apache-2.0
// Private: fit_confidence() of atoms in two steps, for samples that are not all in this process.
#pragma once

#include <memory>
#include <vector>

#include "foldout/extend/confidence.h"

namespace foldout {

/// The samples that determine the scale.
[[nodiscard]] std::vector<Index> rows_of_the_scale(Index n_samples);
/// `some`: those samples.
[[nodiscard]] std::shared_ptr<const Confidence> fit_confidence_by(std::shared_ptr<const Matrix> atoms,
                                                                  const Matrix& some, Index n_samples,
                                                                  const RunContext& context);

}  // namespace foldout
