// SPDX-License-Identifier: Apache-2.0
// Private: a rotation of the features after which a few of them contain most of the variance. In these few, and with
// the length of the rest as one more feature, aᵀb is at most its true value (Cauchy and Schwarz), so that ‖a‖² + ‖b‖² −
// 2aᵀb bounds the squared distance from below: most samples are excluded from the nearest at a fraction of the cost.
#pragma once

#include <optional>

#include "foldout/core/types.h"

namespace foldout {

class LeadingFeatures {
 public:
  /// Principal directions of some of the samples minus `center`, all of them times `scale`. Nothing if a trial on
  /// others of them excludes too few samples to be worth it.
  static std::optional<LeadingFeatures> find(const MatrixRef& samples, const Eigen::RowVectorXd& center, double scale);

  /// Of centred and scaled samples: their leading features, and the length of the rest.
  [[nodiscard]] Matrix of(const MatrixRef& samples) const;

 private:
  explicit LeadingFeatures(Matrix directions) : directions_(std::move(directions)) {}
  Matrix directions_;  // one orthonormal column per feature
};

}  // namespace foldout
