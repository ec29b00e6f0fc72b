// SPDX-License-Identifier: Apache-2.0
// Locality constrained dictionary learning: atoms on the manifold, such that every sample is an affine combination of
// its τ nearest.
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
  std::optional<int> n_atoms = {};          ///< K; auto: a fifth of the samples, from 20 to 1000
  std::optional<int> atoms_per_class = {};  ///< instead: so many for each class, from its samples alone
  int tau = 2;                              ///< τ, atoms that hold a sample while learning
  double locality = 0.1;                    ///< λ
  std::optional<double> ridge = {};         ///< μ, a squared distance; auto: usual_ridge() of the first atoms
  std::optional<int> max_iterations = {};   ///< auto: 50, or 15 passes over batches
  /// What three iterations must lower the objective by, relatively; 0: all are made. The objective rises and falls.
  double tolerance = 0;
  DictionaryStart start = DictionaryStart::kKmeans;
  bool monotone = false;  ///< a sample keeps its old atoms where the nearest would cost more
  double outliers = 0;    ///< errors of a feature beyond so many standard deviations pull as little as these; 0: all do
  std::optional<int> batch_size = {};  ///< samples after which the atoms move; all: after the last
  std::uint64_t seed = 0;              ///< of the start
};
[[nodiscard]] Fields fields(LcdlOptions& options);

/// `labels`: one per sample, or empty.
[[nodiscard]] Dictionary learn_lcdl(const MatrixRef& samples, const std::vector<int>& labels,
                                    const LcdlOptions& options = {}, const RunContext& context = {});

/// From a stream, in batches of `batch_size`: memory is bounded by a batch and the atoms. `max_iterations` counts the
/// passes over all samples. `first`: some samples to start from; where the stream cannot restart, those that came
/// before its next block. The objective of a pass is the sum of the costs that its codes had. Throws InvalidArgument
/// for options that do not go with batches, or not with a stream that can be read once.
[[nodiscard]] Dictionary learn_lcdl_in_batches(const MatrixRef& first, SampleStream& samples,
                                               const LcdlOptions& options, const RunContext& context = {});

}  // namespace foldout
