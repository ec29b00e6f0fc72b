// SPDX-License-Identifier: Apache-2.0
// The thin singular value decomposition, by LAPACK.
#pragma once

#include "foldout/core/types.h"

namespace foldout {

/// A = U diag(s) Vᵀ with min(n, d) columns in U and V, s descending, signs fixed by the columns of V.
struct Svd {
  ColMatrix U;
  Vector s;
  ColMatrix V;

  /// How many singular values exceed `tolerance` times the largest.
  [[nodiscard]] Index rank(double tolerance = 1e-12) const;
};

[[nodiscard]] Svd thin_svd(const MatrixRef& A);

}  // namespace foldout
