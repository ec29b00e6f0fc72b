// SPDX-License-Identifier: Apache-2.0
// Private: bases in which the errors of a sample may be sparse, e = A_e u.
#pragma once

#include <string>

#include "foldout/core/types.h"

namespace foldout {

/// Columns are the basis. dct: the orthonormal cosine transform (type II); haar: the orthonormal Haar transform, for
/// any number of features (an odd one out is carried to the next level).
[[nodiscard]] Matrix dct_basis(Index n);
[[nodiscard]] Matrix haar_basis(Index n);

/// Square with AᵀA = I to 10⁻¹⁰.
[[nodiscard]] bool is_orthonormal(const MatrixRef& A);

}  // namespace foldout
