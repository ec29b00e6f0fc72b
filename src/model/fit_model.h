// SPDX-License-Identifier: Apache-2.0
// Private: the first and last steps of every fit of a model.
#pragma once

#include "components/fitted_method.h"
#include "core/sample_rows.h"
#include "foldout/model/model.h"
#include "landmarks/landmark_fit.h"

namespace foldout {

/// fit_model() and extend_model() of samples that the caller owns, without a copy. `about` is the rest of the data set;
/// its own samples are ignored.
[[nodiscard]] Model fit_samples(const MatrixRef& samples, const Dataset& about, const ModelSpec& spec,
                                const RunContext& context);
[[nodiscard]] Model extend_samples(const MatrixRef& samples, const Dataset& about, const Matrix& coordinates,
                                   const ModelSpec& spec, const RunContext& context);

/// Checks the data and fits the preprocessing; `prepared` are the samples after it, if there is any. `spec` as returned
/// by completed(), `about` as above.
[[nodiscard]] Model start_model(const MatrixRef& samples, const Dataset& about, const ModelSpec& spec, Matrix& prepared,
                                const RunContext& context);

/// Completes a model with a map over landmarks: the coordinates of `samples`, placed like new ones, the confidence and
/// the classifier. The leader's model is complete.
void finish_on_landmarks(Model& model, LandmarkFit landmarks, const SampleRows& samples, const RunContext& context);

/// fit_samples() with a dictionary, of samples that are not all in this process. `about` is that of all samples. The
/// model is that of fit_samples(), complete on the leader. Throws InvalidArgument for components that need all samples
/// in one process.
[[nodiscard]] Model fit_shared(const SampleRows& samples, const Dataset& about, const ModelSpec& spec,
                               const RunContext& context);

}  // namespace foldout
