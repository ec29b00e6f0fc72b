// SPDX-License-Identifier: Apache-2.0
// Placing by local codes: a new sample is an affine combination of its nearest atoms, near ones preferred, and goes to
// the same combination of their coordinates. What a dictionary of landmarks is made for; works for any pairs of samples
// and coordinates.
#pragma once

#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct CodesOptions {
  std::optional<int> coding_tau = {};   ///< atoms that hold a new sample; auto: see code_choice.h
  std::optional<double> locality = {};  ///< λ; auto: likewise
  std::optional<double> ridge = {};     ///< μ, a squared distance; auto: usual_ridge()
};
[[nodiscard]] Fields fields(CodesOptions& options);

/// `coding_tau` and `locality` must have values. `promise` is what it keeps for the training samples, which need not be
/// the atoms.
[[nodiscard]] Extension extend_codes(const MatrixRef& samples, const MatrixRef& coordinates,
                                     const CodesOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
