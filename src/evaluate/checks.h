// SPDX-License-Identifier: Apache-2.0
// What the metrics ask of their inputs, with one wording.
#pragma once

#include <string_view>

#include "foldout/core/types.h"

namespace foldout {

/// At least one row each, equally many, all finite. Names both shapes if they differ.
void require_paired(const MatrixRef& A, const MatrixRef& B, std::string_view metric);

/// 1 ≤ n_neighbors ≤ most.
void require_neighbors(Index n_neighbors, Index most, Index n_samples, std::string_view metric);

}  // namespace foldout
