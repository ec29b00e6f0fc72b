// SPDX-License-Identifier: Apache-2.0
// Private: the smallest pairs of a large Laplacian without a factor, by LOBPCG with a multigrid preconditioner.
#pragma once

#include <optional>

#include "linalg/eigenpairs.h"

namespace foldout {

/// The smallest pairs of A outside the span of `deflate`, which must be one eigenvector of eigenvalue (almost) 0
/// without zeros, each with ‖A⁺(A v − λ v)‖ ≤ 10⁻¹⁰ as far as the preconditioner can tell, which is how far v is from
/// an eigenvector relative to the gaps of A⁺. Values, vectors and iterations are set. Returns nothing if A is not such
/// a matrix, if multigrid finds no coarse levels, or if the pairs do not converge.
[[nodiscard]] std::optional<Eigenpairs> lobpcg(const SparseMatrix& A, const ColMatrix& deflate,
                                               const EigenOptions& options, const RunContext& context);

/// Bytes that lobpcg() takes for `n_pairs` of A.
[[nodiscard]] double lobpcg_bytes(const SparseMatrix& A, Index n_pairs);

}  // namespace foldout
