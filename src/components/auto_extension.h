// SPDX-License-Identifier: Apache-2.0
// Private: the extension "auto".
#pragma once

#include <cstdint>

#include "components/fitted_method.h"
#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/extend/extension.h"

namespace foldout {

inline constexpr Key kTrainPart{"train", "fraction of the samples used for training", "", 0.05, 0.95};
inline constexpr Key kRepeats{"repeats", "number of random splits", "", 1, 1e6};

struct AutoOptions {
  double train = 0.7;      ///< fraction of the samples used for training
  int repeats = 1;         ///< number of random splits
  double budget = 2e10;    ///< maximum number of predicted operations of all trials
  std::uint64_t seed = 0;  ///< of the splits
};
[[nodiscard]] Fields fields(AutoOptions& options);

/// The extension that places held-out samples best. Candidates, the method's own map among them, are tried in the order
/// of their predicted cost, as far as the budget allows; the cheapest is always tried. The choice is the cheapest
/// within one standard error of the smallest error. It depends on the data, the options and nothing else. External
/// coordinates cannot be recomputed: extensions are then fitted to a part of the pairs and evaluated on the rest. The
/// report contains the results and what was left out.
[[nodiscard]] Extension extend_by_best(const MatrixRef& samples, const FittedMethod& fit, const AutoOptions& options,
                                       const RunContext& context);

}  // namespace foldout
