// SPDX-License-Identifier: Apache-2.0
// Private: a few pairs of a dense generalised eigenproblem.
#pragma once

#include <optional>

#include "linalg/eigenpairs.h"

namespace foldout {

/// The k smallest pairs of A v = λ B v with vᵀBv = 1, in ascending order, by Lanczos on L⁻¹BL⁻ᵀ with A = LLᵀ. B may be
/// singular. Nothing if A is not positive definite to rounding, if so few pairs are not a small part of all, or if the
/// iteration does not converge: then a dense solver is called for.
[[nodiscard]] std::optional<Eigenpairs> smallest_of_pencil(const Matrix& A, const Matrix& B, Index k,
                                                           const RunContext& context);

}  // namespace foldout
