// SPDX-License-Identifier: Apache-2.0
// Locality constrained dictionary learning: atoms near the manifold, such that every sample is an affine combination of
// its τ nearest atoms.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/sample_stream.h"
#include "foldout/dictionary/dictionary.h"

namespace [[gnu::visibility("default")]] foldout {

struct LcdlOptions {
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the number of samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead of n_atoms: number for each class, from its samples alone
  int tau = 2;                              ///< τ, atoms in a code during learning
  double locality = 0.1;                    ///< λ, penalty on distant atoms
  /// μ, a squared distance; auto: 0.01 of the mean squared distance of the initial atoms to their nearest
  std::optional<double> ridge = {};
  std::optional<int> max_iterations = {};  ///< auto: 50, or 15 passes over batches
  /// Stop if three iterations reduce the objective, which fluctuates, by less than this fraction; 0: never.
  double tolerance = 0;
  DictionaryStart start = DictionaryStart::kKmeans;
  bool monotone = false;  ///< a sample keeps its previous atoms if they cost less than the nearest
  double outliers = 0;    ///< residuals above this many standard deviations are clipped; 0 disables clipping
  std::optional<int> batch_size = {};  ///< atoms move after this many samples; unset: after all
  std::uint64_t seed = 0;              ///< of the start
};
[[nodiscard]] Fields fields(LcdlOptions& options);

/// `labels`: one per sample, or empty.
[[nodiscard]] Dictionary learn_lcdl(const MatrixRef& samples, const std::vector<int>& labels,
                                    const LcdlOptions& options = {}, const RunContext& context = {});

/// From a stream, in batches of `batch_size`: memory is bounded by a batch and the atoms. `max_iterations` is the
/// number of passes over all samples. `first`: samples that initialise the atoms; if the stream cannot restart, those
/// that precede its next block. The objective of a pass is the sum of the costs of its codes when they were computed.
/// Throws InvalidArgument for options that batches, or a stream that can be read only once, do not support.
[[nodiscard]] Dictionary learn_lcdl_in_batches(const MatrixRef& first, SampleStream& samples,
                                               const LcdlOptions& options, const RunContext& context = {});

}  // namespace foldout
