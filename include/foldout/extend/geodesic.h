// SPDX-License-Identifier: Apache-2.0
// Isomap's own extension: geodesic distances from the new sample, through its nearest training samples and along the
// training graph, then the same triangulation that placed the training samples.
#pragma once

#include <memory>

#include "foldout/embed/isomap.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

struct GeodesicExtensionOptions {
  int n_neighbors = 10;                           ///< training samples through which a new one is reached
  Metric metric = Metric::kEuclidean;             ///< lengths of the edges
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  std::uint64_t seed = 0;                         ///< of the approximate search
};

/// Needs the fit itself, not only coordinates. Exact on training samples.
[[nodiscard]] std::shared_ptr<const OutOfSampleMap> extend_geodesic(const MatrixRef& samples, const IsomapFit& fit,
                                                                    const GeodesicExtensionOptions& options = {});

}  // namespace foldout
