// SPDX-License-Identifier: Apache-2.0
// Local Tangent Space Alignment (Zhang and Zha, 2004).
#pragma once

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/embed/embedding.h"

namespace [[gnu::visibility("default")]] foldout {

struct LtsaOptions {
  int n_components = 2;                           ///< d, less than k
  int n_neighbors = 10;                           ///< k
  bool include_self = true;                       ///< a sample belongs to its own neighbourhood
  Metric metric = Metric::kEuclidean;             ///< of the neighbour search
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  Components components = Components::kConnect;   ///< treatment of disconnected graphs
  EigenSolver solver = EigenSolver::kAuto;        ///< of the eigenproblem
  std::uint64_t seed = 0;                         ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(LtsaOptions& options);

/// Coordinates have mean 0 and covariance I. eigenvalues: of the alignment matrix, without the trivial 0.
[[nodiscard]] Embedding fit_ltsa(const MatrixRef& samples, const LtsaOptions& options = {},
                                 const RunContext& context = {});

}  // namespace foldout
