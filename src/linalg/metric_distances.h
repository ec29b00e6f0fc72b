// SPDX-License-Identifier: Apache-2.0
// Distances between samples in every metric (core/choices.h).
#pragma once

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Whether the distance is 1 − cos of directions: half the squared Euclidean distance between them.
[[nodiscard]] constexpr bool by_angle(Metric metric) {
  return metric == Metric::kCosine || metric == Metric::kCorrelation;
}

/// The directions of samples, at unit length; for correlation the mean of each sample is subtracted first. A sample
/// without a direction, one of length 0 or (for correlation) a constant one, becomes zero.
[[nodiscard]] Matrix directions(const MatrixRef& samples, Metric metric);

/// The same. Throws InvalidRow for a sample without a direction.
[[nodiscard]] Matrix require_directions(const MatrixRef& samples, Metric metric);

/// The distance of two samples, or of two directions if by_angle(), as neighbour searches compute it. Not for
/// precomputed distances.
[[nodiscard]] double distance_of(Metric metric, const double* a, const double* b, Index n);

/// Throws InvalidRow if a row of precomputed distances contains a negative one.
void require_distance_rows(const MatrixRef& rows);

/// Squared distances between all samples; precomputed: the squares of the entries. Throws InvalidRow for a sample
/// without a direction if the metric needs one.
[[nodiscard]] Matrix squared_pair_distances(const MatrixRef& samples, Metric metric, const RunContext& context);

/// Distances from new samples to fixed ones.
class DistancesTo {
 public:
  /// `samples` must outlive this object. Precomputed: they are not used, and new samples are rows of distances.
  DistancesTo(const MatrixRef& samples, Metric metric);

  /// The squared distances of every row to all samples; row i does not depend on the others. A sample without a
  /// direction has the distance 1 to all others.
  [[nodiscard]] Matrix squared(const MatrixRef& rows) const;
  /// The distance of one row to sample j, as neighbour searches compute it.
  [[nodiscard]] double exact(const MatrixRef& row, Index j) const;

 private:
  MatrixRef samples_;
  Metric metric_;
  Matrix directions_;  // of the samples, if by_angle()
};

}  // namespace foldout
