// SPDX-License-Identifier: Apache-2.0
// Sixty samples and coordinates by formula, with scores computed by scipy 1.10 and scikit-learn 1.2.
#pragma once

#include <cmath>

#include "foldout/core/types.h"

namespace foldout {

struct Example {
  Matrix X = Matrix(60, 4), Y = Matrix(60, 2);
  Example() {
    for (Index row = 0; row < 60; ++row) {
      const auto i = static_cast<double>(row);
      X.row(row) << std::sin(1.3 * i) + 0.05 * i, std::cos(0.7 * i * i + 1), std::sin(0.37 * i * i),
          0.02 * i * std::cos(i);
      Y.row(row) << std::sin(1.3 * i) + 0.04 * i + 0.3 * std::cos(2.1 * i),
          std::cos(0.7 * i * i + 1) + 0.4 * std::sin(5.3 * i);
    }
  }
};

}  // namespace foldout
