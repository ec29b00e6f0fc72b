// SPDX-License-Identifier: Apache-2.0
// Classifiers: the label of a point, predicted from labelled training points.
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
  /// One label per row, among those of the training points. `second`, unless null, gets the label that each row would
  /// have if its own did not exist; −1 if there is no other.
  [[nodiscard]] virtual std::vector<int> predict(const MatrixRef& points, const RunContext& context, Tally& tally,
                                                 std::vector<int>* second) const = 0;
  [[nodiscard]] std::vector<int> predict(const MatrixRef& points, const RunContext& context, Tally& tally) const {
    return predict(points, context, tally, nullptr);
  }
  /// Writes the results of training into the report.
  virtual void describe(Report& /*report*/) const {}
  /// Saves all that is needed to restore the classifier without training.
  virtual void save(Archive& /*archive*/) const {}
};

/// Points with one label each: the training data of every classifier.
struct LabelledPoints {
  Matrix points;
  std::vector<int> labels;
};

struct NearestOptions {
  int n_neighbors = 1;                 ///< nearest training points that vote; ties go to the nearest point
  Metric metric = Metric::kEuclidean;  ///< of the neighbours
};
[[nodiscard]] Fields fields(NearestOptions& options);

[[nodiscard]] std::shared_ptr<const Classifier> nearest_classifier(LabelledPoints training,
                                                                   const NearestOptions& options = {});

/// The label of the training point at the smallest angle: largest conformal affinity.
[[nodiscard]] std::shared_ptr<const Classifier> affinity_classifier(LabelledPoints training);

/// Sparse representation (Wright et al., 2009): the point is coded over all training points, Xa + e = x, and assigned
/// to the class whose part of the code leaves the smallest residual, ‖x − e − X δ_c(a)‖. A point with a zero code gets
/// the label of the nearest.
[[nodiscard]] std::shared_ptr<const Classifier> sparse_classifier(const LabelledPoints& training,
                                                                  double tolerance = 1e-8);

/// Requires at least one point, one label per point and finite values.
void require_training(const LabelledPoints& training, std::string_view classifier);

}  // namespace foldout
