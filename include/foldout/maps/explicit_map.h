// SPDX-License-Identifier: Apache-2.0
// y = Vᵀ(φ(x) − offset) + intercept: every map that is a matrix times features of the sample, projections and
// regressions alike. New feature maps plug in at FeatureMap.
#pragma once

#include <memory>
#include <string>

#include "foldout/maps/out_of_sample_map.h"

namespace [[gnu::visibility("default")]] foldout {

class FeatureMap;
using Features = std::shared_ptr<const FeatureMap>;

class ExplicitMap final : public OutOfSampleMap {
 public:
  /// `V` has a column per coordinate; `offset` is subtracted from the features and `intercept` added to the
  /// coordinates (empty: zero).
  ExplicitMap(MapInfo info, Features features, Matrix V, Vector offset, Vector intercept = {});
  explicit ExplicitMap(const Archive& archive);

  [[nodiscard]] MapInfo info() const override { return info_; }
  void save(Archive& archive) const override;
  [[nodiscard]] const Matrix* samples() const override;
  [[nodiscard]] const FeatureMap& features() const { return *features_; }
  [[nodiscard]] const Features& shared_features() const { return features_; }
  [[nodiscard]] const Matrix& matrix() const { return V_; }
  [[nodiscard]] const Vector& offset() const { return offset_; }
  [[nodiscard]] const Vector& intercept() const { return intercept_; }

 protected:
  [[nodiscard]] Matrix transform_block(const MatrixRef& samples, Tally& tally) const override;

 private:
  MapInfo info_;
  Features features_;
  Matrix V_;
  Vector offset_, intercept_;
};

}  // namespace foldout
