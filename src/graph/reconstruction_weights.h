// SPDX-License-Identifier: Apache-2.0
// LLE weights: the affine combination of its neighbours that is nearest to each sample,
//   min ‖x − Σ_j w_j x_j‖²  subject to  Σ_j w_j = 1,  from  (G + r·tr(G)·I) w ∝ 1,  G_jl = (x − x_j)ᵀ(x − x_l).
// Roweis and Saul (2000); r·tr(G) with r = 10⁻³ is their remedy for more neighbours than dimensions.
#pragma once

#include <span>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "graph/neighborhoods.h"

namespace foldout {

/// The weights of one sample over rows `neighbors` of `anchors`, finite and with sum one. If all neighbours coincide
/// with the sample, or the system is singular for another reason, regularisation makes it solvable.
void reconstruction_weights(const double* sample, const MatrixRef& anchors, std::span<const int> neighbors, double reg,
                            std::span<double> weights);

/// The weights of every sample over its neighbourhood, in the order of the lists: those of the function above, bit for
/// bit.
[[nodiscard]] std::vector<double> neighborhood_weights(const MatrixRef& samples, const Neighborhoods& neighborhoods,
                                                       double reg, const RunContext& context = {});

/// I − W with these weights: row i of its product with coordinates is what the neighbours of sample i leave of its own.
/// The entries of a row are in the order of the list, after the one on the diagonal.
[[nodiscard]] SparseMatrix reconstruction_residuals(const MatrixRef& samples, const Neighborhoods& neighborhoods,
                                                    double reg, const RunContext& context = {});

}  // namespace foldout
