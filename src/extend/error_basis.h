// SPDX-License-Identifier: Apache-2.0
// Private: bases in which the errors of a sample may be sparse, e = A_e u.
#pragma once

#include <string_view>

#include "foldout/core/types.h"

namespace foldout {

/// Columns are the basis. dct: the orthonormal cosine transform (type II); haar: the orthonormal Haar transform, for
/// any number of features (an unpaired one is carried to the next level).
[[nodiscard]] Matrix dct_basis(Index n);
[[nodiscard]] Matrix haar_basis(Index n);

/// Whether `errors` is the name of a built-in basis, not of a matrix.
[[nodiscard]] bool is_named_error_basis(std::string_view errors);

/// Square with AᵀA = I to 10⁻¹⁰.
[[nodiscard]] bool is_orthonormal(const MatrixRef& A);

}  // namespace foldout
