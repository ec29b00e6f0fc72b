// SPDX-License-Identifier: Apache-2.0
// Placing by local codes: a new sample is an affine combination of its nearest atoms, near ones preferred, and goes to
// the same combination of their coordinates. What a dictionary of landmarks is made for; works for any pairs of samples
// and coordinates.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/dictionary/local_codes.h"
#include "foldout/maps/coded_map.h"

namespace foldout {

inline constexpr double kUsualLocality = 0.1;

struct CodesOptions {
  std::optional<int> coding_tau = {};  ///< atoms that hold a new sample; auto: those that place left-out atoms best
  std::optional<double> locality = kUsualLocality;  ///< λ; auto: likewise
  std::optional<double> ridge = {};                 ///< μ, a squared distance; auto: usual_ridge()
};
[[nodiscard]] Fields fields(CodesOptions& options);

namespace key {
inline constexpr Key coding_tau{"coding_tau", "atoms that hold a sample when it is placed; auto: by validation", "τ",
                                1};
inline constexpr Key coding_locality{"locality", "how dear far atoms are in a code; auto: by validation", "λ", 0};
}  // namespace key

/// The numbers of atoms that validation tries: 1, 2, 3, 4, 6, 8, 12 … up to `most` and 128.
[[nodiscard]] std::vector<int> coding_taus(Index most);

/// The values of λ that validation tries, usual ones first.
[[nodiscard]] std::vector<double> coding_localities();

/// `coding_tau` and `locality` must have values. `promise` is what it keeps for the training samples, which need not be
/// the atoms.
[[nodiscard]] std::shared_ptr<const CodedMap> extend_codes(Matrix atoms, Matrix coordinates,
                                                           const CodesOptions& options,
                                                           TrainingPromise promise = TrainingPromise::kApproximate);

/// `options` with values for what is auto: those that place up to 500 of the atoms best, each by the others.
[[nodiscard]] CodesOptions chosen_by_leaving_out(const Matrix& atoms, const MatrixRef& coordinates,
                                                 CodesOptions options, const RunContext& context, Report& report);

/// Figures and facts about what was auto.
void tell_chosen(const CodesOptions& asked, const CodesOptions& chosen, std::string_view how, Report& report);

}  // namespace foldout
