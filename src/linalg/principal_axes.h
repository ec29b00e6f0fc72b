// SPDX-License-Identifier: Apache-2.0
// The directions of largest variance.
#pragma once

#include "foldout/core/types.h"

namespace foldout {

struct PrincipalAxes {
  Vector mean;
  Matrix axes;       ///< one column per direction, orthonormal, largest variance first; as many as the rank
  Vector variances;  ///< along them, with divisor n
  double total_variance = 0;
};

[[nodiscard]] PrincipalAxes principal_axes(const MatrixRef& samples);

}  // namespace foldout
