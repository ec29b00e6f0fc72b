// SPDX-License-Identifier: Apache-2.0
// Placing by local codes: a new sample is an affine combination of its nearest atoms, near ones preferred, and goes to
// the same combination of their coordinates. What a dictionary of landmarks is made for; works for any pairs of samples
// and coordinates.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/dictionary/local_codes.h"
#include "foldout/maps/coded_map.h"

namespace foldout {

struct CodesOptions {
  std::optional<int> coding_tau = {};  ///< atoms that hold a new sample; auto: those that place left-out atoms best
  double locality = 0.1;               ///< λ
  double ridge = 1e-3;                 ///< μ, in the units of a squared distance
};
[[nodiscard]] Fields fields(CodesOptions& options);

namespace key {
inline constexpr Key coding_tau{"coding_tau", "atoms that hold a sample when it is placed; auto: by validation", "τ",
                                1};
}

/// The numbers of atoms that validation tries: 1, 2, 3, 4, 6, 8, 12 … up to `most` and 128.
[[nodiscard]] std::vector<int> coding_taus(Index most);

/// `coding_tau` must have a value. `promise` is what it keeps for the training samples, which need not be the atoms.
[[nodiscard]] std::shared_ptr<const CodedMap> extend_codes(Matrix atoms, Matrix coordinates,
                                                           const CodesOptions& options,
                                                           TrainingPromise promise = TrainingPromise::kApproximate);

/// The number of atoms that places up to 500 of the atoms best, each by the others.
[[nodiscard]] int tau_by_leaving_out(const Matrix& atoms, const MatrixRef& coordinates, const LocalCodeWeights& weights,
                                     const RunContext& context, Report& report);

}  // namespace foldout
