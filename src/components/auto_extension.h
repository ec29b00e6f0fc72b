// SPDX-License-Identifier: Apache-2.0
// Private: the extension "auto".
#pragma once

#include <cstdint>
#include <optional>

#include "components/fitted_method.h"
#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/extend/extension.h"

namespace foldout {

inline constexpr Key kTrainPart{"train", "part of the samples that trial maps are learnt from", "", 0.05, 0.95};
inline constexpr Key kRepeats{"repeats", "random splits", "", 1, 1e6};

struct AutoOptions {
  double train = 0.7;                 ///< part of the samples that the trial maps are learnt from
  int repeats = 1;                    ///< random splits
  std::optional<double> budget = {};  ///< milliseconds that placing a sample may take; auto: any
  std::uint64_t seed = 0;             ///< of the splits
};
[[nodiscard]] Fields fields(AutoOptions& options);

/// The extension with the smallest placement error of those that go with the fit and stay within the budget.
/// Coordinates from elsewhere are not computed again: extensions then learn from a part of the pairs and are held to
/// the rest. The table of the trial is in the report.
[[nodiscard]] Extension extend_by_best(const MatrixRef& samples, const FittedMethod& fit, const AutoOptions& options,
                                       const RunContext& context);

}  // namespace foldout
