// SPDX-License-Identifier: Apache-2.0
// Values of an independent prototype: see golden/README.md.
#pragma once

#include <string>

#include "foldout/io/files.h"

namespace foldout {

inline Matrix golden(const std::string& name) { return load_matrix("tests/golden/" + name + ".npy"); }

/// `placed` with each column turned as `ours` must be turned to come nearest to `theirs`: the sign of an eigenvector is
/// free, but the same for training and new samples.
inline Matrix turned(const Matrix& placed, const Matrix& ours, const Matrix& theirs) {
  Matrix result = placed;
  for (Index k = 0; k < placed.cols(); ++k)
    if (ours.col(k).dot(theirs.col(k)) < 0) result.col(k) *= -1;
  return result;
}

}  // namespace foldout
