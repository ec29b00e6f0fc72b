// SPDX-License-Identifier: Apache-2.0
// Private: loads saved maps from their archives.
#pragma once

#include <memory>

#include "core/archive.h"
#include "foldout/maps/out_of_sample_map.h"
#include "maps/coded_map.h"
#include "neighbors/neighbors.h"

namespace foldout {

/// Throws IoError for a kind that this version does not know or arrays that do not fit together.
[[nodiscard]] std::shared_ptr<const OutOfSampleMap> load_map(const Archive& archive);

[[nodiscard]] std::shared_ptr<const Coder> load_lle_coder(const Archive& archive, Index n_features);
[[nodiscard]] std::shared_ptr<const Coder> load_mode_coder(const Archive& archive, Index n_features);
[[nodiscard]] std::shared_ptr<const Coder> load_local_coder(const Archive& archive, Index n_features);
[[nodiscard]] std::shared_ptr<const Coder> load_sparse_coder(const Archive& archive, Index n_features);
[[nodiscard]] std::shared_ptr<const OutOfSampleMap> load_geodesic(const Archive& archive);

/// The neighbour search in an archive: metric, search, seed and k.
void save_search(const NeighborOptions& options, int n_neighbors, Archive& archive);
/// Precomputed distances: `samples` has no rows, and a column for each of them.
[[nodiscard]] NeighborOptions load_search(const Archive& archive, const Matrix& samples, int& n_neighbors);
/// The samples that are searched, as load_samples(), or of precomputed distances only the number of columns.
[[nodiscard]] Matrix load_searched_samples(const Archive& archive, Index n_features);
/// What a map keeps of its samples: all, or of precomputed distances only the number of columns.
[[nodiscard]] Matrix searched_samples(const MatrixRef& samples, Metric metric);

}  // namespace foldout
