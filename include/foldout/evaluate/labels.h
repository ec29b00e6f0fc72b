// SPDX-License-Identifier: Apache-2.0
// How well labels match the true ones.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// The share of samples whose predicted label is the true one.
[[nodiscard]] double accuracy(const std::vector<std::string>& predicted, const std::vector<std::string>& truth);

/// The share of samples in the wrong cluster under the best one-to-one assignment of clusters to classes (the
/// assignment problem, solved exactly; Kuhn 1955). Their numbers may differ: what is left over counts as wrong.
[[nodiscard]] double clustering_error(const std::vector<std::string>& clusters, const std::vector<std::string>& truth);

struct NeighborAccuracyOptions {
  int n_neighbors = 1;  ///< how many nearest training samples vote, 1 … n; of tied labels the nearest wins
};

/// The recognition rate of the nearest-neighbour rule: the share of the new samples whose nearest training samples vote
/// for their true label.
[[nodiscard]] double neighbor_accuracy(const MatrixRef& train, const std::vector<std::string>& train_labels,
                                       const MatrixRef& fresh, const std::vector<std::string>& fresh_labels,
                                       const NeighborAccuracyOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
