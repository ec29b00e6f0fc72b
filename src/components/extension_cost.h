// SPDX-License-Identifier: Apache-2.0
// Private: predicted operations of the extensions with their default keys (ExtensionRow::cost), about 10⁹ per second on
// one core. Multiply-adds of matrix products, which are an order of magnitude faster, count as a tenth. The other
// factors are measured on 1001 samples of 256 features and 3500 of 784; a prediction may be wrong by a factor of five.
#pragma once

#include <algorithm>
#include <cmath>

#include "components/rows.h"

namespace foldout::cost {

inline constexpr double kProduct = 0.1;

/// Distances or kernel values between placed and training samples.
inline double search(const ProblemSize& s) { return kProduct * s.n_placed * s.n_samples * s.n_features; }

inline double own(const ProblemSize& s) { return kProduct * s.n_placed * s.n_features * s.n_components; }
inline double linear(const ProblemSize& s) {
  const double rank = std::min(s.n_samples, s.n_features);
  return 2 * kProduct * s.n_samples * s.n_features * rank + rank * rank * rank + own(s);
}
inline double elm(const ProblemSize& s) {
  constexpr double kNodes = 1000;
  const double rank = std::min(s.n_samples, kNodes);
  return kProduct * kNodes * ((s.n_samples + s.n_placed) * s.n_features + 2 * s.n_samples * rank) + rank * rank * rank;
}
inline double lvm(const ProblemSize& s) { return search(s); }
inline double lle(const ProblemSize& s) {
  constexpr double kNeighbors = 10;
  return search(s) + s.n_placed * kNeighbors * kNeighbors * (2 * kProduct * s.n_features + kNeighbors);
}
/// Some tens of steps of mean shift over 15 neighbours.
inline double mode(const ProblemSize& s) {
  return search(s) + kProduct * std::min(s.n_samples, 1000.0) * s.n_samples * s.n_features +
         s.n_placed * 15 * (40 + 15) * s.n_components;
}
/// The noise of the rows is measured on up to 500 samples, and some coordinates may be placed by lle.
inline double nystrom(const ProblemSize& s) {
  return search(s) + kProduct * std::min(s.n_samples, 500.0) * s.n_samples * s.n_features + lle(s);
}
inline double geodesic(const ProblemSize& s) {
  return search(s) + s.n_placed * s.n_samples * (kProduct * s.n_components + 10 * std::log2(1 + s.n_samples));
}
/// A positive definite system of all samples.
inline double rbf(const ProblemSize& s) {
  return search(s) + s.n_samples * s.n_samples * (kProduct * s.n_features + 0.06 * s.n_samples);
}
/// All eigenvectors of the kernel matrix.
inline double kernel_extrapolation(const ProblemSize& s) {
  return search(s) + s.n_samples * s.n_samples * (kProduct * s.n_features + 0.5 * s.n_samples);
}
/// λ and τ are validated on a few hundred training samples, each coded many times.
inline double codes(const ProblemSize& s) { return search(s) + 2e4 * std::min(s.n_samples, 500.0) * s.n_features; }
/// A linear program per sample. The number of pivots grows with the number of features, and so does their cost.
inline double sparse(const ProblemSize& s) {
  return s.n_placed * (5000 + s.n_samples * s.n_features * (2 + 0.05 * s.n_features));
}

}  // namespace foldout::cost
