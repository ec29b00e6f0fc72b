// SPDX-License-Identifier: Apache-2.0
// Local coordinate coding: atoms near the manifold, such that every sample is a combination of a few nearby atoms. The
// samples determine how many.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"

namespace [[gnu::visibility("default")]] foldout {

struct LccOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the number of samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead of n_atoms: number for each class, from its samples alone
  double locality = 0.3;                    ///< λ, dimensionless; 0.1 to 1 suits samples of a smooth surface
  bool sum_to_one = true;                   ///< codes sum to one: results do not depend on the origin
  int max_iterations = 50;
  double tolerance = 1e-4;  ///< stop if three iterations reduce the objective by less than this fraction; 0: never
  DictionaryStart start = DictionaryStart::kKmeans;
  std::uint64_t seed = 0;  ///< of the start
};
[[nodiscard]] Fields fields(LccOptions& options);

/// `labels`: one per sample, or empty. Neither half of an iteration increases the objective.
[[nodiscard]] Dictionary learn_lcc(const MatrixRef& samples, const std::vector<int>& labels,
                                   const LccOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
