// SPDX-License-Identifier: Apache-2.0
// Private: atoms that no sample uses.
#pragma once

#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace foldout {

/// Atoms of usage 0 go to the samples whose codes cost most, each to another; returns how many.
Index reseed_unused(const MatrixRef& samples, const Vector& usage, Vector costs, Matrix& atoms);

/// "atoms_reseeded", where there are any.
void note_reseeded(Index count, Report& report);

}  // namespace foldout
