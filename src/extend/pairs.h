// SPDX-License-Identifier: Apache-2.0
// Private: what extensions of a pair (samples, coordinates) do first.
#pragma once

#include <string_view>

#include "foldout/core/types.h"

namespace foldout {

/// At least one sample, all values finite, one row of coordinates per sample.
void require_pairs(const MatrixRef& samples, const MatrixRef& coordinates, std::string_view extension);

/// n_neighbors ≤ n_samples.
void require_neighbors(int n_neighbors, Index n_samples, std::string_view extension);

/// Coordinates about their mean, which is added again to what is placed: without it a function that falls to 0 away
/// from the samples would pull new ones towards the origin, wherever that is.
struct CenteredCoordinates {
  Matrix Y;
  Vector mean;  ///< empty: nothing was subtracted

  CenteredCoordinates(const MatrixRef& coordinates, bool intercept);
};

}  // namespace foldout
