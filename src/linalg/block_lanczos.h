// SPDX-License-Identifier: Apache-2.0
// Private: the largest pairs of an operator with large spectral gaps, such as the inverse of a graph Laplacian, for
// which several columns at once cost little more than one.
#pragma once

#include <functional>
#include <optional>

#include "linalg/eigenpairs.h"

namespace foldout {

/// Y = A X, one column per vector; X and Y do not overlap.
using BlockProduct = std::function<void(const Eigen::Ref<const ColMatrix>& X, Eigen::Ref<ColMatrix> Y)>;

/// The largest pairs of a positive definite operator outside the span of the orthonormal columns of `deflate`, each
/// with ‖A v − θ v‖ ≤ tolerance · θ, by block Lanczos without restarts, from a block of `first_block` vectors. A block
/// of b vectors finds at most b copies of a repeated eigenvalue. If b / 2 eigenvalues, some perhaps behind the last
/// wanted one, coincide to one part in 10⁴, the search starts again with a block twice as wide, up to 16 vectors or the
/// number of wanted pairs; if the wider search fails, the pairs of the narrower one are returned. Returns nothing if
/// the pairs are not found within a few steps, if the basis does not fit into memory, or if the operator is too small.
[[nodiscard]] std::optional<Eigenpairs> block_lanczos(const BlockProduct& product, const ColMatrix& deflate,
                                                      Index first_block, const EigenOptions& options,
                                                      const RunContext& context);

}  // namespace foldout
