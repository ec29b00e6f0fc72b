// SPDX-License-Identifier: Apache-2.0
// Private: do neighbourhoods of atoms stay on the manifold?
#pragma once

#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// How many atoms have one among their k nearest other atoms that the samples do not lead to: a neighbourhood across a
/// gap without samples, such as that between two sheets of a roll, which an embedding of the atoms cannot unfold. Atoms
/// that the samples do not connect at all do not count; with fewer than 5 samples for each atom nothing can be told.
[[nodiscard]] Index atoms_across_gaps(const MatrixRef& samples, const Matrix& atoms, Index k,
                                      const RunContext& context);

/// Samples that, as further atoms, take the places of such neighbours. Empty where there are none, or so many that the
/// atoms are too few for the k.
[[nodiscard]] std::vector<Index> samples_against_gaps(const MatrixRef& samples, const Matrix& atoms, Index k,
                                                      const RunContext& context);

}  // namespace foldout
