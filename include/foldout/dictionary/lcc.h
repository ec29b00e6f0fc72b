// SPDX-License-Identifier: Apache-2.0
// Local coordinate coding: atoms on the manifold, such that every sample is a combination of few that are near to it.
// How few follows from the samples, not from a number that is given.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"

namespace [[gnu::visibility("default")]] foldout {

struct LccOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead: so many for each class, from its samples alone
  double locality = 0.3;                    ///< λ, without a unit; 0.1 to 1 suits samples of a smooth surface
  bool sum_to_one = true;                   ///< codes sum to one: nothing depends on the origin
  int max_iterations = 50;
  double tolerance = 1e-4;  ///< what three iterations must lower the objective by, relatively; 0: all are made
  DictionaryStart start = DictionaryStart::kKmeans;
  std::uint64_t seed = 0;  ///< of the start
};
[[nodiscard]] Fields fields(LccOptions& options);

/// `labels`: one per sample, or empty. Neither half of an iteration raises the objective.
[[nodiscard]] Dictionary learn_lcc(const MatrixRef& samples, const std::vector<int>& labels,
                                   const LccOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
