// SPDX-License-Identifier: Apache-2.0
// Locally Linear Embedding (Roweis and Saul, 2000).
#pragma once

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/embed/embedding.h"

namespace [[gnu::visibility("default")]] foldout {

struct LleOptions {
  int n_components = 2;                           ///< d
  int n_neighbors = 10;                           ///< k
  double reg = 1e-3;                              ///< regularisation of the local Gram matrix, relative to its trace
  Metric metric = Metric::kEuclidean;             ///< of the neighbour search
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  Components components = Components::kConnect;   ///< treatment of disconnected graphs
  EigenSolver solver = EigenSolver::kAuto;        ///< of the eigenproblem
  std::uint64_t seed = 0;                         ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(LleOptions& options);

/// Coordinates have mean 0 and covariance I. eigenvalues: of M = (I−W)ᵀ(I−W), without the trivial 0.
[[nodiscard]] Embedding fit_lle(const MatrixRef& samples, const LleOptions& options = {},
                                const RunContext& context = {});

}  // namespace foldout
