// SPDX-License-Identifier: Apache-2.0
// Private: the preprocessing steps of a model, in their order.
#pragma once

#include <memory>
#include <vector>

#include "foldout/components/component.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/preprocess/preprocess.h"

namespace foldout {

using Steps = std::vector<std::shared_ptr<const Preprocessor>>;

/// Fits each step to the output of the previous ones; `prepared` is the output of the last. Without steps it is not
/// changed.
[[nodiscard]] Steps fit_steps(const MatrixRef& samples, const std::vector<Component<PreprocessRow>>& specs,
                              Matrix& prepared, const RunContext& context, Report& report);

/// Replaces the fractions of the variance in the specs by the numbers of components that they asked for.
void record_found(const Steps& steps, std::vector<Component<PreprocessRow>>& specs);

/// There must be at least one step.
[[nodiscard]] Matrix apply_steps(const MatrixRef& samples, const Steps& steps, const RunContext& context);

}  // namespace foldout
