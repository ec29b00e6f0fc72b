// SPDX-License-Identifier: Apache-2.0
// Private: the first and last steps of every fit of a model.
#pragma once

#include "components/fitted_method.h"
#include "foldout/model/model.h"
#include "landmarks/landmark_fit.h"

namespace foldout {

/// Checks the data and fits the preprocessing; `prepared` are the samples after it, if there is any. `spec` as returned
/// by completed().
[[nodiscard]] Model start_model(const Dataset& data, const ModelSpec& spec, Matrix& prepared,
                                const RunContext& context);

/// Completes a model with a map over landmarks: the coordinates of `samples`, placed like new ones, the confidence and
/// the classifier.
void finish_on_landmarks(Model& model, LandmarkFit landmarks, const MatrixRef& samples, const RunContext& context);

}  // namespace foldout
