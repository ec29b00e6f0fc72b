// SPDX-License-Identifier: Apache-2.0
// From a point to the label of the training points it belongs with.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/archive.h"
#include "core/tally.h"
#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "neighbors/neighbors.h"

namespace foldout {

/// Immutable and thread-safe; the label of a point does not depend on the other points.
class Classifier {
 public:
  virtual ~Classifier() = default;
  /// One label per row, of those that the training points had.
  [[nodiscard]] virtual std::vector<int> predict(const MatrixRef& points, const RunContext& context,
                                                 Tally& tally) const = 0;
  /// Writes what training found into the report.
  virtual void describe(Report& /*report*/) const {}
  /// What must be kept so that it need not be trained again.
  virtual void save(Archive& /*archive*/) const {}
};

/// Points with one label each: what every classifier learns from.
struct LabelledPoints {
  Matrix points;
  std::vector<int> labels;
};

struct NearestOptions {
  int n_neighbors = 1;                 ///< how many nearest training points vote; of tied labels the nearest wins
  Metric metric = Metric::kEuclidean;  ///< of the neighbours
};
[[nodiscard]] Fields fields(NearestOptions& options);

[[nodiscard]] std::shared_ptr<const Classifier> nearest_classifier(LabelledPoints training,
                                                                   const NearestOptions& options = {});

/// The label of the training point at the smallest angle: largest conformal affinity.
[[nodiscard]] std::shared_ptr<const Classifier> affinity_classifier(LabelledPoints training);

/// Sparse representation (Wright et al., 2009): the point is coded over all training points, Xa + e = x, and goes to
/// the class whose part of the code leaves least of it, ‖x − e − X δ_c(a)‖. A point whose code is zero goes with the
/// nearest.
[[nodiscard]] std::shared_ptr<const Classifier> sparse_classifier(LabelledPoints training, double tolerance = 1e-8);

/// At least one point, one label each, every value finite.
void require_training(const LabelledPoints& training, std::string_view classifier);

}  // namespace foldout
