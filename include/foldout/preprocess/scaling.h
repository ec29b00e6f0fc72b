// SPDX-License-Identifier: Apache-2.0
// center, standardize, unit_norm.
#pragma once

#include "foldout/core/fields.h"
#include "foldout/core/report.h"
#include "foldout/preprocess/preprocessor.h"

namespace foldout {

/// Subtracts the mean of the training samples.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_center(const MatrixRef& samples);

/// Subtracts the mean and divides by the standard deviation (divisor n) of each feature. A feature that is constant in
/// training is only centred, and the report says so.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_standardize(const MatrixRef& samples, Report& report);

/// Divides each sample by its own Euclidean length; a sample of length 0 is an error.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_unit_norm(const MatrixRef& samples);

}  // namespace foldout
