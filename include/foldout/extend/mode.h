// SPDX-License-Identifier: Apache-2.0
// Placement at a mode: where the coordinates of the nearest training samples are densest. Between two clusters of a map
// a mean lies where no training sample does; a mode lies in one of them. For maps with clusters, such as those of UMAP
// and t-SNE. Works for any coordinates.
#pragma once

#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct ModeOptions {
  int n_neighbors = 15;                           ///< nearest training samples
  std::optional<double> perplexity = {};          ///< of their weights; auto: half their number
  double bandwidth = 0.5;                         ///< relative to the distance of neighbours in the map
  Metric metric = Metric::kEuclidean;             ///< of the neighbour search
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  std::uint64_t seed = 0;                         ///< of the approximate search
};
[[nodiscard]] Fields fields(ModeOptions& options);

/// Exact on training samples: a sample that equals a training sample gets its coordinates (if several are equal, those
/// of the first).
[[nodiscard]] Extension extend_mode(const MatrixRef& samples, const MatrixRef& coordinates,
                                    const ModeOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
