// SPDX-License-Identifier: Apache-2.0
// The Laplacian Eigenmaps latent variable model (Carreira-Perpiñán and Lu, 2007): a new sample is placed at the mean of
// the coordinates of its nearest training samples, weighted by a heat kernel. Works for any coordinates.
#pragma once

#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct LvmOptions {
  int n_neighbors = 3;                 ///< K nearest training samples
  std::optional<double> width = {};    ///< β of exp(−δ²/β), δ in the metric; auto: mean δ² of all pairs
  Metric metric = Metric::kEuclidean;  ///< of the neighbour search and the kernel
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  std::uint64_t seed = 0;                         ///< of the approximate search
};
[[nodiscard]] Fields fields(LvmOptions& options);

/// Approximate on training samples, which are averaged with their neighbours; exact with n_neighbors = 1 and an exact
/// search by a metric that is 0 only for equal samples (not cosine or correlation).
[[nodiscard]] Extension extend_lvm(const MatrixRef& samples, const MatrixRef& coordinates,
                                   const LvmOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
