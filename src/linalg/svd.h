// SPDX-License-Identifier: Apache-2.0
// The thin singular value decomposition, by LAPACK.
#pragma once

#include <string_view>

#include "foldout/core/component_count.h"
#include "foldout/core/types.h"

namespace foldout {

/// A = U diag(s) Vᵀ with min(n, d) columns in U and V, s descending, signs fixed by the columns of V.
struct Svd {
  ColMatrix U;
  Vector s;
  ColMatrix V;

  /// How many singular values exceed `tolerance` times the largest, and `least`.
  [[nodiscard]] Index rank(double tolerance = 1e-12, double least = 0) const;
};

/// A bound on the singular values of equal rows after centring, which are due to rounding.
[[nodiscard]] double centering_error(const MatrixRef& A);

[[nodiscard]] Svd thin_svd(const MatrixRef& A);

struct PrincipalAxes {
  Vector mean;
  Matrix axes;       ///< one column per direction, orthonormal, largest variance first; as many as the rank
  Vector variances;  ///< along them, with divisor n
  double total_variance = 0;

  /// The number of axes that `wanted` asks for: that many, or the fewest that explain more than a fraction of the
  /// variance, as scikit-learn counts them. Throws InvalidArgument if there are fewer.
  [[nodiscard]] Index count(const ComponentCount& wanted, std::string_view method) const;
};

[[nodiscard]] PrincipalAxes principal_axes(const MatrixRef& samples);

}  // namespace foldout
