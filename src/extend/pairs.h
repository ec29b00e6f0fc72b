// SPDX-License-Identifier: Apache-2.0
// Private: checks and centring for extensions of pairs (samples, coordinates).
#pragma once

#include <string_view>

#include "foldout/core/types.h"

namespace foldout {

/// At least one sample, all values finite, one row of coordinates per sample.
void require_pairs(const MatrixRef& samples, const MatrixRef& coordinates, std::string_view extension);

/// n_neighbors ≤ n_samples.
void require_neighbors(int n_neighbors, Index n_samples, std::string_view extension);

/// Coordinates minus their mean, which is added to new coordinates: otherwise a function that decays to 0 away from the
/// samples would place new ones near the origin, which has no meaning.
struct CenteredCoordinates {
  Matrix Y;
  Vector mean;  ///< empty: nothing was subtracted

  CenteredCoordinates(const MatrixRef& coordinates, bool intercept);
};

}  // namespace foldout
