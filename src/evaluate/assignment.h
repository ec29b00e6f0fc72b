// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "foldout/core/types.h"

namespace foldout {

/// The largest sum of entries of `gain` with at most one in every row and column, for gains ≥ 0. O(n³).
[[nodiscard]] double best_assignment(const Matrix& gain);

}  // namespace foldout
