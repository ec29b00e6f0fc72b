// SPDX-License-Identifier: Apache-2.0
// Private: the samples that stand for all in questions of confidence.
#pragma once

#include <memory>

#include "foldout/extend/confidence.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

/// Those that the map holds, which then cost no room in the model. Null where they are too few to stand for all
/// (`atoms`: those of a dictionary do, however few).
[[nodiscard]] std::shared_ptr<const Matrix> reference_of(const std::shared_ptr<const OutOfSampleMap>& map,
                                                         Index n_samples, bool atoms);

/// From the samples that the map holds, or else from some of the training samples.
[[nodiscard]] std::shared_ptr<const Confidence> make_confidence(const MatrixRef& samples,
                                                                const std::shared_ptr<const OutOfSampleMap>& map,
                                                                const RunContext& context);

/// From the atoms that stand for the training samples.
[[nodiscard]] std::shared_ptr<const Confidence> make_confidence(const MatrixRef& samples,
                                                                const std::shared_ptr<const OutOfSampleMap>& map,
                                                                Matrix atoms, const RunContext& context);

}  // namespace foldout
