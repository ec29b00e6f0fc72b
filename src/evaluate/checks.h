// SPDX-License-Identifier: Apache-2.0
// Checks of the inputs of metrics, with uniform messages.
#pragma once

#include <string_view>

#include "foldout/core/types.h"

namespace foldout {

/// Requires equal numbers of rows, at least one, and finite values. Names both shapes if they differ.
void require_paired(const MatrixRef& A, const MatrixRef& B, std::string_view metric);

/// Requires 1 ≤ n_neighbors ≤ most.
void require_neighbors(Index n_neighbors, Index most, Index n_samples, std::string_view metric);

}  // namespace foldout
