// SPDX-License-Identifier: Apache-2.0
// Private: neighbourhoods of atoms that reach across gaps of the manifold.
#pragma once

#include <vector>

#include "core/sample_rows.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// The number of atoms with a neighbour, among their k nearest atoms, that is more than 8 steps away in the graph of
/// atoms: a neighbourhood across a gap without samples, such as between two sheets of a roll, which folds an embedding
/// of the atoms. Atoms in different components of the graph do not count. With fewer than 5 samples for each atom,
/// graph distances are unreliable, and the result is 0.
[[nodiscard]] Index atoms_across_gaps(const SampleRows& samples, const Matrix& atoms, Index k,
                                      const RunContext& context);

/// Samples that replace such neighbours if promoted to atoms. Empty if there are none, or more than a twentieth of the
/// number of atoms would be needed.
[[nodiscard]] std::vector<Index> samples_to_promote(const SampleRows& samples, const Matrix& atoms, Index k,
                                                    const RunContext& context);

}  // namespace foldout
