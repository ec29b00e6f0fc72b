// SPDX-License-Identifier: Apache-2.0
#include "foldout/model/model.h"

#include <fmt/format.h>

#include "components/preparing.h"
#include "components/rows.h"
#include "core/check.h"
#include "foldout/core/error.h"
#include "maps/counted_transform.h"
#include "model/placing.h"

namespace foldout {

void require_features(const Model& model, const MatrixRef& samples) {
  const RowMeaning rows = row_meaning(model.spec.method);
  if (rows != RowMeaning::kSamples && samples.cols() != model.n_features)
    throw InvalidArgument(fmt::format(
        "transform: rows have {} values, but the model was fitted to a precomputed matrix: give the {} each "
        "new sample {} all {} training samples, in their order",
        samples.cols(), rows == RowMeaning::kDistances ? "distances of" : "kernel values of",
        rows == RowMeaning::kDistances ? "to" : "with", model.n_features));
  require_width(samples, model.n_features, "transform");
}

Matrix Model::prepare(const MatrixRef& samples, const RunContext& context) const {
  require_features(*this, samples);
  return steps.empty() ? Matrix(samples) : apply_steps(samples, steps, context);
}

Matrix Model::transform(const MatrixRef& samples, const RunContext& context) const {
  Tally tally;
  return place_samples(*this, samples, context, tally);
}

Matrix Model::transform(const MatrixRef& samples, const RunContext& context, Report& of_placing) const {
  Tally tally;
  Matrix placed = place_samples(*this, samples, context, tally);
  tally.write(of_placing, samples.rows());
  return placed;
}

Explanation Model::explain(const MatrixRef& samples, const RunContext& context) const {
  return with_prepared(*this, samples, context, [&](const MatrixRef& X) { return confidence->explain(X, context); });
}

SparseMatrix Model::codes(const MatrixRef& samples, const RunContext& context) const {
  return with_prepared(*this, samples, context, [&](const MatrixRef& X) { return map->codes(X, context); });
}

Matrix place_samples(const Model& model, const MatrixRef& samples, const RunContext& context, Tally& tally) {
  return with_prepared(model, samples, context,
                       [&](const MatrixRef& X) { return CountedTransform{*model.map}(X, context, tally); });
}

}  // namespace foldout
