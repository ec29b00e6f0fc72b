// SPDX-License-Identifier: Apache-2.0
// Private: classical scaling, which mds, isomap and landmark_isomap share.
#pragma once

#include <cstdint>
#include <string_view>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "foldout/embed/embedding.h"

namespace foldout {

/// −½ J D² J in place, J = I − 11ᵀ/n; returns the row means of D² before.
Vector double_center(Matrix& squared_distances);

/// √λ_k v_k for the largest pairs of a centred matrix. Throws InvalidArgument, in the name of `method`, where there are
/// fewer than `n_components` positive eigenvalues.
[[nodiscard]] Embedding scaled_eigenvectors(const MatrixRef& B, int n_components, EigenSolver solver,
                                            std::uint64_t seed, std::string_view method, const RunContext& context);

}  // namespace foldout
