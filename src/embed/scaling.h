// SPDX-License-Identifier: Apache-2.0
// Private: classical scaling, shared by mds, isomap and landmark_isomap.
#pragma once

#include <cstdint>
#include <string_view>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "foldout/embed/embedding.h"

namespace foldout {

/// −½ J D² J in place, J = I − 11ᵀ/n; returns the row means of D².
Vector double_center(Matrix& squared_distances);

/// √λ_k v_k for the largest eigenpairs of a centred matrix. Throws InvalidArgument, in the name of `method`, if fewer
/// than `n_components` eigenvalues are positive.
[[nodiscard]] Embedding scaled_eigenvectors(const MatrixRef& B, int n_components, EigenSolver solver,
                                            std::uint64_t seed, std::string_view method, const RunContext& context);

}  // namespace foldout
