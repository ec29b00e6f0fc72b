// SPDX-License-Identifier: Apache-2.0
// The plainest dictionaries: samples drawn at random, and the centres of k-means. Others must be better than these.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"

namespace foldout {

struct RandomAtomsOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead: so many for each class, from its samples alone
  std::uint64_t seed = 0;                   ///< of the draw
};
[[nodiscard]] Fields fields(RandomAtomsOptions& options);

struct KmeansAtomsOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead: so many for each class, from its samples alone
  int max_iterations = 100;                 ///< of each start
  int restarts = 1;                         ///< starts, of which the one with the smallest sum of squares is kept
  std::uint64_t seed = 0;                   ///< of the starts
};
[[nodiscard]] Fields fields(KmeansAtomsOptions& options);

/// Different samples, drawn at random; nothing is minimised. `labels`: one per sample, or empty.
[[nodiscard]] Dictionary learn_random(const MatrixRef& samples, const std::vector<int>& labels,
                                      const RandomAtomsOptions& options = {}, const RunContext& context = {});

/// The centres of k-means. The objective is Σ ‖y − its nearest atom‖²: before the atoms of an iteration move, and after
/// they moved and every sample found its nearest anew.
[[nodiscard]] Dictionary learn_kmeans(const MatrixRef& samples, const std::vector<int>& labels,
                                      const KmeansAtomsOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
