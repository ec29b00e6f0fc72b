// SPDX-License-Identifier: Apache-2.0
// Locality-constrained linear coding: codes over all atoms in closed form, with a penalty on distant atoms, and atoms
// updated online, one sample at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"

namespace [[gnu::visibility("default")]] foldout {

struct LlcOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the number of samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead of n_atoms: number for each class, from its samples alone
  double locality = 0.01;                   ///< λ, in units of σ²
  std::optional<double> sigma = {};  ///< σ, a distance; auto: a tenth of the distance of a sample to its nearest
                                     ///< initial atom (root mean square)
  int max_iterations = 5;            ///< passes over all samples
  DictionaryStart start = DictionaryStart::kKmeans;
  std::uint64_t seed = 0;  ///< of the start and of the order of the samples
};
[[nodiscard]] Fields fields(LlcOptions& options);

/// `labels`: one per sample, or empty. The objective is computed before and after each pass; a pass may increase it.
[[nodiscard]] Dictionary learn_llc(const MatrixRef& samples, const std::vector<int>& labels,
                                   const LlcOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
