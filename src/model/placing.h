// SPDX-License-Identifier: Apache-2.0
// Private: placement of samples by a model.
#pragma once

#include "components/preparing.h"
#include "core/tally.h"
#include "foldout/model/model.h"

namespace foldout {

/// Throws InvalidArgument unless the samples have the features of the model, or a value for each training sample if
/// they are rows of distances or kernel values.
void require_features(const Model& model, const MatrixRef& samples);

/// fn(preprocessed samples), without a copy if the model has no preprocessing.
template <class Fn>
auto with_prepared(const Model& model, const MatrixRef& samples, const RunContext& context, const Fn& fn) {
  require_features(model, samples);
  return model.steps.empty() ? fn(samples) : fn(apply_steps(samples, model.steps, context));
}

/// Model::transform(); `tally` gets the counts, and the rows that needed a fallback.
[[nodiscard]] Matrix place_samples(const Model& model, const MatrixRef& samples, const RunContext& context,
                                   Tally& tally);

}  // namespace foldout
