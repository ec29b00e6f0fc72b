// SPDX-License-Identifier: Apache-2.0
// A small set of atoms that stands for many samples.
#pragma once

#include <string_view>
#include <vector>

#include "foldout/core/fields.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace foldout {

/// What the learner minimises, after each half of an iteration.
struct DictionaryObjective {
  double after_codes = 0, after_atoms = 0;
};

struct Dictionary {
  Matrix atoms;             ///< one row per atom
  std::vector<int> labels;  ///< of the atoms, with atoms_per_class; else empty
  /// Per iteration; of a dictionary by classes the sum over the classes. Empty where nothing is minimised.
  std::vector<DictionaryObjective> objective;
  Report report;
};

/// The number of atoms where none is given: a fifth of the samples, from 20 to 1000.
[[nodiscard]] Index usual_atoms(Index n_samples);

namespace key {

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

}  // namespace key

}  // namespace foldout
