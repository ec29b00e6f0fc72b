// SPDX-License-Identifier: Apache-2.0
// Private: the keys that dictionaries, and codes over their atoms, share.
#pragma once

#include "foldout/core/fields.h"

namespace foldout::key {

inline constexpr Key n_atoms{"n_atoms", "atoms to learn; auto: a fifth of the samples, from 20 to 1000", "K", 1};
inline constexpr Key atoms_per_class{"atoms_per_class",
                                     "atoms to learn from the samples of each class alone, instead of n_atoms",
                                     "",
                                     1,
                                     1e9,
                                     false,
                                     "none"};
inline constexpr Key tau{"tau", "atoms that hold a sample while the dictionary is learnt", "τ", 1};
inline constexpr Key locality{"locality", "how dear far atoms are in a code", "λ", 0};
inline constexpr Key code_ridge{
    "ridge", "of the codes, a squared distance; auto: 0.01 of that of an atom to its nearest", "μ", 0};
inline constexpr Key max_iterations{"max_iterations", "of codes and atoms in turn", "", 1};
inline constexpr Key tolerance{
    "tolerance", "learning ends when three iterations lower the objective by less than this part of it; 0: never", "",
    0, 1};
inline constexpr Key start{"start", "the first atoms: centres of k-means, or samples drawn at random"};
inline constexpr Key coding_tau{"coding_tau", "atoms that hold a sample when it is placed; auto: by validation", "τ",
                                1};
inline constexpr Key coding_locality{"locality", "how dear far atoms are in a code; auto: by validation", "λ", 0};

}  // namespace foldout::key
