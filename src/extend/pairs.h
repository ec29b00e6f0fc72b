// SPDX-License-Identifier: Apache-2.0
// Private: what every extension of a pair (samples, coordinates) checks first.
#pragma once

#include <string_view>

#include "foldout/core/types.h"

namespace foldout {

/// At least one sample, all values finite, one row of coordinates per sample.
void require_pairs(const MatrixRef& samples, const MatrixRef& coordinates, std::string_view extension);

/// n_neighbors ≤ n_samples.
void require_neighbors(int n_neighbors, Index n_samples, std::string_view extension);

}  // namespace foldout
