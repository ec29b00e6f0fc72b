// SPDX-License-Identifier: Apache-2.0
// Do neighbours in the data X stay neighbours in the coordinates Y? Distances are Euclidean, ties go by index.
#pragma once

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

struct NeighborhoodOptions {
  int n_neighbors = 5;  ///< k, 1 … ; below half of the samples for trustworthiness and continuity
};

/// Are the neighbours in Y neighbours in X? (Venna and Kaski 2001)
/// 1 − 2/(nk(2n − 3k − 1)) Σ_i Σ_j (r(i, j) − k) over the j among the k nearest of i in Y whose rank r(i, j) in X
/// exceeds k. Takes memory for a few rows of the distance table, never for all of it.
[[nodiscard]] double trustworthiness(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options = {},
                                     const RunContext& context = {});

/// Are the neighbours in X neighbours in Y? trustworthiness with X and Y exchanged.
[[nodiscard]] double continuity(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options = {},
                                const RunContext& context = {});

/// The mean share of the k nearest in X that are among the k nearest in Y.
[[nodiscard]] double neighbor_overlap(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options = {},
                                      const RunContext& context = {});

}  // namespace foldout
