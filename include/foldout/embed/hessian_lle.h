// SPDX-License-Identifier: Apache-2.0
// Hessian LLE, Hessian eigenmaps (Donoho and Grimes, 2003).
#pragma once

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/embed/embedding.h"

namespace [[gnu::visibility("default")]] foldout {

struct HessianLleOptions {
  int n_components = 2;                ///< d
  int n_neighbors = 10;                ///< k; k + 1 ≥ 1 + d + d(d+1)/2, since a neighbourhood includes its sample
  Metric metric = Metric::kEuclidean;  ///< of the neighbour search
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  Components components = Components::kConnect;   ///< treatment of disconnected graphs
  EigenSolver solver = EigenSolver::kAuto;        ///< of the eigenproblem
  std::uint64_t seed = 0;                         ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(HessianLleOptions& options);

/// Coordinates have mean 0 and covariance I. eigenvalues: of the Hessian functional, without the trivial 0.
[[nodiscard]] Embedding fit_hessian_lle(const MatrixRef& samples, const HessianLleOptions& options = {},
                                        const RunContext& context = {});

}  // namespace foldout
