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

/// Fits each step to what the steps before it make of the samples; `prepared` is what the last one makes of them. With
/// no steps it stays as it is.
[[nodiscard]] Steps fit_steps(const MatrixRef& samples, const std::vector<Component<PreprocessRow>>& specs,
                              Matrix& prepared, const RunContext& context, Report& report);

/// There must be one step at least.
[[nodiscard]] Matrix apply_steps(const MatrixRef& samples, const Steps& steps, const RunContext& context);

}  // namespace foldout
