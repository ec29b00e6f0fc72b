// SPDX-License-Identifier: Apache-2.0
// Histogram equalisation of images, each by its own histogram.
#pragma once

#include "foldout/core/fields.h"
#include "foldout/preprocess/preprocessor.h"

namespace foldout {

struct HistogramEqualizationOptions {
  int levels = 64;  ///< grey levels of the result, which lie evenly in [0, 1]
};
[[nodiscard]] Fields fields(HistogramEqualizationOptions& options);

/// Pixels are counted in 256 bins over the range of the training samples (values outside count as the nearest bin); a
/// pixel becomes the share of pixels that are not brighter, rounded to the nearest level.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_histogram_equalization(
    const MatrixRef& samples, const HistogramEqualizationOptions& options = {});

}  // namespace foldout
