// SPDX-License-Identifier: Apache-2.0
// Placement by reconstruction weights: a new sample is approximated by an affine combination of its nearest training
// samples and placed at the same combination of their coordinates. Works for any coordinates.
#pragma once

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct LleExtensionOptions {
  int n_neighbors = 10;                           ///< training samples that a new sample is reconstructed from
  double reg = 1e-3;                              ///< regularisation of the local Gram matrix, relative to its trace
  Metric metric = Metric::kEuclidean;             ///< of the neighbour search
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  std::uint64_t seed = 0;                         ///< of the approximate search
};
[[nodiscard]] Fields fields(LleExtensionOptions& options);

/// Exact on training samples: a sample that equals a training sample gets its coordinates (if several are equal, those
/// of the first).
[[nodiscard]] Extension extend_lle(const MatrixRef& samples, const MatrixRef& coordinates,
                                   const LleExtensionOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
