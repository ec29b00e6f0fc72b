// SPDX-License-Identifier: Apache-2.0
// How well the training samples explain a new one, on one scale for all methods and extensions: near 1 if as well as
// they explain each other, near 0 if it is unlike any of them.
#pragma once

#include <cstdint>
#include <memory>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

struct Explanation {
  Vector confidence;  ///< from 0 to 1
  Vector residuals;  ///< ‖x − Σ_j w_j x_j‖ over the nearest reference samples, in the units of the (prepared) samples;
                     ///< for precomputed distances, the distance to the nearest training sample
};

/// Quantiles of the relative residuals of held-out training samples.
struct ConfidenceScale {
  double typical = 0;  ///< median: confidence is 0.95 there
  double rare = 0;     ///< 95th percentile: confidence is ½ there
};

/// Immutable and thread-safe; a sample's confidence does not depend on the rest of the batch.
class Confidence {
 public:
  /// `reference` are training samples that represent all.
  Confidence(std::shared_ptr<const Matrix> reference, const ConfidenceScale& scale);
  /// Of samples given as rows of distances to the training samples: only the distance to the nearest is known. gaps[i]
  /// is the distance of training sample i from the nearest one that differs from it. Without gaps not even that is
  /// known (kernel values), and explain() throws InvalidArgument.
  Confidence(Vector gaps, const ConfidenceScale& scale);
  ~Confidence();

  [[nodiscard]] Explanation explain(const MatrixRef& samples, const RunContext& context = {}) const;
  /// Null: the samples are distances or kernel values.
  [[nodiscard]] const Matrix* reference() const { return reference_.get(); }
  /// Empty unless the samples are distances: otherwise they follow from the reference samples.
  [[nodiscard]] const Vector& gaps() const { return gaps_; }
  [[nodiscard]] const ConfidenceScale& scale() const { return scale_; }

 private:
  [[nodiscard]] Explanation explain_distances(const MatrixRef& rows, const RunContext& context) const;

  struct Search;
  std::shared_ptr<const Matrix> reference_;
  Vector gaps_;
  ConfidenceScale scale_;
  std::unique_ptr<const Search> search_;
};

/// Holds out up to 500 reference samples, one at a time, to determine the scale.
[[nodiscard]] std::shared_ptr<const Confidence> fit_confidence(std::shared_ptr<const Matrix> reference,
                                                               const RunContext& context = {});

/// The same from the distances between all training samples.
[[nodiscard]] std::shared_ptr<const Confidence> fit_confidence_of_distances(const MatrixRef& distances,
                                                                            const RunContext& context = {});

/// The same for the atoms of a dictionary: up to 1000 of the samples determine the scale.
[[nodiscard]] std::shared_ptr<const Confidence> fit_confidence(std::shared_ptr<const Matrix> atoms,
                                                               const MatrixRef& samples,
                                                               const RunContext& context = {});

}  // namespace foldout
