// SPDX-License-Identifier: Apache-2.0
// Private: the largest pairs of an operator with large gaps, such as the inverse of a graph's Laplacian, of which
// several columns at once cost little more than one.
#pragma once

#include <functional>
#include <optional>

#include "linalg/eigenpairs.h"

namespace foldout {

/// Y = A X, one column per vector; X and Y do not overlap.
using BlockProduct = std::function<void(const Eigen::Ref<const ColMatrix>& X, Eigen::Ref<ColMatrix> Y)>;

/// The largest pairs of a positive definite operator outside the span of the orthonormal columns of `deflate`, each
/// with ‖A v − θ v‖ ≤ tolerance · θ, by block Lanczos without restarts. A block of b vectors shows an eigenvalue that
/// repeats at most b times: where one shows so often, the search starts again with a block twice as wide, until the
/// block has as many vectors as pairs are wanted, or 16. Nothing where the pairs are not found within a few steps, are
/// more than 64, or the operator is too small for the blocks.
[[nodiscard]] std::optional<Eigenpairs> block_lanczos(const BlockProduct& product, const ColMatrix& deflate,
                                                      const EigenOptions& options, const RunContext& context);

}  // namespace foldout
