// SPDX-License-Identifier: Apache-2.0
// Private: how every fit of a model begins.
#pragma once

#include "foldout/core/dataset.h"
#include "foldout/pipeline/component_table.h"
#include "foldout/pipeline/model.h"

namespace foldout {

/// Checks the spec and the data, and fits the preprocessing; `prepared` are the samples after it, where there is any.
[[nodiscard]] Model start_model(const Dataset& data, const ModelSpec& spec, Matrix& prepared,
                                const RunContext& context);

/// Throws NumericalError where coordinates or eigenvalues are not finite.
void require_finite_embedding(const FittedMethod& fitted, const Model& model);

}  // namespace foldout
