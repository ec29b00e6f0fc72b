// SPDX-License-Identifier: Apache-2.0
// Private: keys shared by dictionaries and by codes over their atoms.
#pragma once

#include "foldout/core/fields.h"

namespace foldout::key {

inline constexpr Key n_atoms{"n_atoms", "number of atoms; auto: a fifth of the number of samples, from 20 to 1000", "K",
                             1};
inline constexpr Key atoms_per_class{
    "atoms_per_class",
    "instead of n_atoms: number of atoms of each class, learned from its samples alone",
    "",
    1,
    1e9,
    false,
    "none"};
inline constexpr Key tau{"tau", "number of atoms in a code during learning", "τ", 1};
inline constexpr Key locality{"locality", "penalty on distant atoms in a code", "λ", 0};
inline constexpr Key code_ridge{
    "ridge",
    "ridge of the codes, a squared distance; auto: 0.01 of the mean squared distance of atoms to their nearest", "μ",
    0};
inline constexpr Key max_iterations{"max_iterations", "iterations, each of which updates codes and atoms", "", 1};
inline constexpr Key tolerance{
    "tolerance", "stop when three iterations reduce the objective by less than this fraction; 0: never", "", 0, 1};
inline constexpr Key start{"start", "initial atoms: centres of k-means, or samples drawn at random"};
inline constexpr Key coding_tau{"coding_tau", "number of atoms in a code during placement; auto: by validation", "τ",
                                1};
inline constexpr Key coding_locality{"locality", "penalty on distant atoms in a code; auto: by validation", "λ", 0};

}  // namespace foldout::key
