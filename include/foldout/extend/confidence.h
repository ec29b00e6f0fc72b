// SPDX-License-Identifier: Apache-2.0
// How well the training samples explain a new one, on a scale that means the same for every method and extension: 1 for
// "as well as training samples explain each other", 0 for "nothing like them".
#pragma once

#include <cstdint>
#include <memory>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

struct Explanation {
  Vector confidence;  ///< from 0 to 1
  Vector residuals;  ///< ‖x − Σ_j w_j x_j‖ over the nearest reference samples, in the units of the (prepared) samples
};

/// What was learnt from held-out training samples about their relative residuals.
struct ConfidenceScale {
  double typical = 0;  ///< the median: confidence is 0.95 there
  double rare = 0;     ///< what 5 % of them exceed: confidence is ½ there
};

/// Immutable and thread-safe; a sample's confidence does not depend on the others.
class Confidence {
 public:
  /// `reference` are training samples that stand for all, gaps[i] is the distance of sample i from the nearest
  /// that differs.
  Confidence(std::shared_ptr<const Matrix> reference, Vector gaps, const ConfidenceScale& scale);
  ~Confidence();

  [[nodiscard]] Explanation explain(const MatrixRef& samples, const RunContext& context = {}) const;
  [[nodiscard]] const Matrix& reference() const { return *reference_; }
  [[nodiscard]] const Vector& gaps() const { return gaps_; }
  [[nodiscard]] const ConfidenceScale& scale() const { return scale_; }

 private:
  struct Search;
  std::shared_ptr<const Matrix> reference_;
  Vector gaps_;
  ConfidenceScale scale_;
  std::unique_ptr<const Search> search_;
};

/// Holds out up to 1000 of the reference samples, one at a time, to learn the scale.
[[nodiscard]] std::shared_ptr<const Confidence> fit_confidence(std::shared_ptr<const Matrix> reference,
                                                               const RunContext& context = {});

/// The same for atoms that stand for many samples: up to 2000 of those say which residuals are usual.
[[nodiscard]] std::shared_ptr<const Confidence> fit_confidence(std::shared_ptr<const Matrix> atoms,
                                                               const MatrixRef& samples,
                                                               const RunContext& context = {});

}  // namespace foldout
