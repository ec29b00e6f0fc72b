// SPDX-License-Identifier: Apache-2.0
// Isomap's own extension: geodesic distances from the new sample, through its nearest training samples and along the
// training graph, then the same triangulation that placed the training samples.
#pragma once

#include <optional>

#include "foldout/core/choices.h"
#include "foldout/embed/isomap.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct GeodesicExtensionOptions {
  std::optional<int> n_neighbors = {};            ///< training samples that a new one is joined to; auto: as in the fit
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  std::uint64_t seed = 0;                         ///< of the approximate search
};

[[nodiscard]] Fields fields(GeodesicExtensionOptions& options);

/// Needs the fit itself, not only coordinates. Exact on training samples, as long as a new sample is joined by no edge
/// that the training graph would not have: not with more neighbours than the fit had, nor on a mutual graph, where it
/// is joined to its nearest samples whether or not they would name it.
[[nodiscard]] Extension extend_geodesic(const MatrixRef& samples, const IsomapFit& fit,
                                        const GeodesicExtensionOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
