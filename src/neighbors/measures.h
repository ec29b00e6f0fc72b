// SPDX-License-Identifier: Apache-2.0
// Private: what a KD-tree minimises. between() is the measure of two samples; the sum over the features of share(), of
// the gaps between a sample and a box, must not exceed the measure to any sample in the box; to_box() is the tightest
// such bound.
#pragma once

#include <cmath>

#include "foldout/core/types.h"
#include "linalg/distance.h"

namespace foldout {

struct SquaredEuclidean {
  static double between(const double* a, const double* b, Index n) { return squared_distance(a, b, n); }
  static double share(double gap, Index) { return gap * gap; }
  static double to_box(const Eigen::RowVectorXd& gaps) { return gaps.squaredNorm(); }
};

struct Manhattan {
  static double between(const double* a, const double* b, Index n) { return manhattan_distance(a, b, n); }
  static double share(double gap, Index) { return std::abs(gap); }
  static double to_box(const Eigen::RowVectorXd& gaps) { return gaps.sum(); }
};

// The greatest gap is not a sum; their mean is one, and a bound.
struct Chebyshev {
  static double between(const double* a, const double* b, Index n) { return chebyshev_distance(a, b, n); }
  static double share(double gap, Index n) { return std::abs(gap) / static_cast<double>(n); }
  static double to_box(const Eigen::RowVectorXd& gaps) { return gaps.maxCoeff(); }
};

}  // namespace foldout
