// SPDX-License-Identifier: Apache-2.0
// Private: the reference samples of confidence, which represent all training samples.
#pragma once

#include <memory>

#include "components/rows.h"
#include "core/sample_rows.h"
#include "foldout/extend/confidence.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

/// Those that the map contains, which take no extra space in the model. Null if they are too few to represent all
/// (`atoms`: those of a dictionary are never too few).
[[nodiscard]] std::shared_ptr<const Matrix> reference_of(const std::shared_ptr<const OutOfSampleMap>& map,
                                                         Index n_samples, bool atoms);

/// From the samples that the map contains, otherwise from some of the training samples.
[[nodiscard]] std::shared_ptr<const Confidence> make_confidence(const MatrixRef& samples,
                                                                const std::shared_ptr<const OutOfSampleMap>& map,
                                                                const RunContext& context);

/// The same from precomputed distances, or none from kernel values.
[[nodiscard]] std::shared_ptr<const Confidence> make_confidence(const MatrixRef& rows, RowMeaning meaning,
                                                                const RunContext& context);

/// From the atoms of a dictionary.
[[nodiscard]] std::shared_ptr<const Confidence> make_confidence(const SampleRows& samples,
                                                                const std::shared_ptr<const OutOfSampleMap>& map,
                                                                Matrix atoms, const RunContext& context);

}  // namespace foldout
