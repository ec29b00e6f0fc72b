// SPDX-License-Identifier: Apache-2.0
// Private: placement of samples by a model.
#pragma once

#include "components/preparing.h"
#include "core/check.h"
#include "core/tally.h"
#include "foldout/model/model.h"

namespace foldout {

/// fn(preprocessed samples), without a copy if the model has no preprocessing.
template <class Fn>
auto with_prepared(const Model& model, const MatrixRef& samples, const RunContext& context, const Fn& fn) {
  require_width(samples, model.n_features, "transform");
  return model.steps.empty() ? fn(samples) : fn(apply_steps(samples, model.steps, context));
}

/// Model::transform(); `tally` gets the counts, and the rows that needed a fallback.
[[nodiscard]] Matrix place_samples(const Model& model, const MatrixRef& samples, const RunContext& context,
                                   Tally& tally);

}  // namespace foldout
