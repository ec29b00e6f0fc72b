// SPDX-License-Identifier: Apache-2.0
// Easy and hard dictionaries and samples, by number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "foldout/core/types.h"

namespace foldout::dataset {

struct CodingProblem {
  std::string name;
  Matrix atoms;
  std::vector<double> x;
};

/// The families: Gaussian, exactly sparse x, x an atom, duplicated and negated atoms, near duplicates, whole numbers,
/// atoms of zeros, gross errors, atoms of very different norms, non-negative data, low rank, sparse ±1.
inline constexpr int kCodingFamilies = 12;
CodingProblem coding_problem(int family, Index n_atoms, Index n_features, std::uint64_t seed);

}  // namespace foldout::dataset
