// SPDX-License-Identifier: Apache-2.0
// Isomap's own extension: geodesic distances from the new sample through its nearest training samples along the
// training graph, then the triangulation that placed the training samples.
#pragma once

#include <optional>

#include "foldout/core/choices.h"
#include "foldout/embed/isomap.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct GeodesicExtensionOptions {
  std::optional<int> n_neighbors = {};  ///< training samples that a new sample is joined to; auto: as in the fit
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  std::uint64_t seed = 0;                         ///< of the approximate search
};

[[nodiscard]] Fields fields(GeodesicExtensionOptions& options);

/// Needs the fit itself, not only coordinates. Exact on training samples if a new sample gets only edges that the
/// training graph would have and no sample was left out of that graph. Approximate with more neighbours than in the
/// fit, and on a mutual graph, where a new sample is joined to its nearest samples whether or not it is a neighbour of
/// theirs.
[[nodiscard]] Extension extend_geodesic(const MatrixRef& samples, const IsomapFit& fit,
                                        const GeodesicExtensionOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
