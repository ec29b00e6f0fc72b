// SPDX-License-Identifier: Apache-2.0
// Private: what load_map() makes maps from.
#pragma once

#include <memory>

#include "core/archive.h"
#include "maps/coded_map.h"
#include "neighbors/neighbors.h"

namespace foldout {

[[nodiscard]] std::shared_ptr<const Coder> load_lle_coder(const Archive& archive, Index n_features);
[[nodiscard]] std::shared_ptr<const Coder> load_local_coder(const Archive& archive, Index n_features);
[[nodiscard]] std::shared_ptr<const Coder> load_sparse_coder(const Archive& archive, Index n_features);
[[nodiscard]] std::shared_ptr<const OutOfSampleMap> load_geodesic(const Archive& archive);

/// How the search for neighbours is written and read: metric, search, seed and k.
void save_search(const NeighborOptions& options, int n_neighbors, Archive& archive);
[[nodiscard]] NeighborOptions load_search(const Archive& archive, Index n_samples, int& n_neighbors);

}  // namespace foldout
