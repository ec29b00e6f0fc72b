// SPDX-License-Identifier: Apache-2.0
// The result of every embedding: coordinates of the training samples only.
#pragma once

#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

struct Embedding {
  Matrix coordinates;  ///< one row per training sample, in their order
  Vector eigenvalues;  ///< one per coordinate
  Report report;       ///< what was done: times, solver, residual, repairs
};

}  // namespace foldout
