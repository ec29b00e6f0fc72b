// SPDX-License-Identifier: Apache-2.0
#include "linalg/distance.h"

#include "linalg/versions.h"

namespace foldout {

FOLDOUT_VERSIONS double long_squared_distance(const double* a, const double* b, Index n) {
  return lane_sum(
      n, [=](Index i) __attribute__((always_inline)) { return (a[i] - b[i]) * (a[i] - b[i]); });
}

FOLDOUT_VERSIONS double long_dot(const double* a, const double* b, Index n) {
  return lane_sum(
      n, [=](Index i) __attribute__((always_inline)) { return a[i] * b[i]; });
}

}  // namespace foldout
