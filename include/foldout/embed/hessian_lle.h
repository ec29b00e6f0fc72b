// SPDX-License-Identifier: Apache-2.0
// Hessian LLE, Hessian eigenmaps (Donoho and Grimes, 2003).
#pragma once

#include "foldout/embed/embedding.h"
#include "foldout/graph/neighborhoods.h"
#include "foldout/linalg/eigenpairs.h"

namespace foldout {

struct HessianLleOptions {
  int n_components = 2;                ///< d
  int n_neighbors = 10;                ///< k; k + 1 ≥ 1 + d + d(d+1)/2, as the sample itself is one of them
  Metric metric = Metric::kEuclidean;  ///< of the neighbour search
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  Components components = Components::kConnect;   ///< what to do with a graph in parts
  EigenSolver solver = EigenSolver::kAuto;        ///< of the eigenproblem
  std::uint64_t seed = 0;                         ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(HessianLleOptions& options);

/// Coordinates have mean 0 and covariance I. eigenvalues: of the Hessian functional, without the trivial 0.
[[nodiscard]] Embedding fit_hessian_lle(const MatrixRef& samples, const HessianLleOptions& options = {},
                                        const RunContext& context = {});

/// Σ_i S_i H_i H_iᵀ S_iᵀ over the neighbourhoods: what Hessian LLE minimises.
[[nodiscard]] SparseMatrix hessian_matrix(const MatrixRef& samples, const Neighborhoods& neighborhoods,
                                          int n_components, const RunContext& context, Report& report);

}  // namespace foldout
