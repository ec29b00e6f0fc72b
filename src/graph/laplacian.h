// SPDX-License-Identifier: Apache-2.0
// Graph Laplacians.
#pragma once

#include "foldout/core/types.h"

namespace foldout {

/// L = D − W
[[nodiscard]] SparseMatrix laplacian(const SparseMatrix& W);

/// The symmetric normalised Laplacian I − D^(−½) W D^(−½) = D^(−½) L D^(−½). Degrees must be positive.
[[nodiscard]] SparseMatrix normalized_laplacian(const SparseMatrix& W, const Vector& degrees);

/// D^(−½) W D^(−½), dense.
[[nodiscard]] Matrix normalized_adjacency(const Matrix& W, const Vector& degrees);

}  // namespace foldout
