// SPDX-License-Identifier: Apache-2.0
// Private: how every fit of a model begins and ends.
#pragma once

#include "components/fitted_method.h"
#include "foldout/model/model.h"
#include "landmarks/landmark_fit.h"

namespace foldout {

/// Checks the data and fits the preprocessing; `prepared` are the samples after it, where there is any. `spec` as
/// completed() leaves it.
[[nodiscard]] Model start_model(const Dataset& data, const ModelSpec& spec, Matrix& prepared,
                                const RunContext& context);

/// Gives the model a map over landmarks and what goes with it: the coordinates of these samples, placed as new ones
/// are, how well the atoms explain them, and the classifier.
void finish_on_landmarks(Model& model, LandmarkFit landmarks, const MatrixRef& samples, const RunContext& context);

}  // namespace foldout
