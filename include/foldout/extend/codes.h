// SPDX-License-Identifier: Apache-2.0
// Placement by local codes: a new sample is approximated by an affine combination of its nearest atoms, with a penalty
// on distant ones, and placed at the same combination of their coordinates. The default extension of a dictionary of
// landmarks; works for any coordinates.
#pragma once

#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct CodesOptions {
  std::optional<int> coding_tau = {};   ///< τ, atoms in a code; auto: by leaving atoms out
  std::optional<double> locality = {};  ///< λ, penalty on distant atoms; auto: likewise
  /// μ, a squared distance; auto: 0.01 of the mean squared distance of atoms to their nearest.
  std::optional<double> ridge = {};
};
[[nodiscard]] Fields fields(CodesOptions& options);

/// The atoms are `samples`. Approximate on training samples.
[[nodiscard]] Extension extend_codes(const MatrixRef& samples, const MatrixRef& coordinates,
                                     const CodesOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
