// SPDX-License-Identifier: Apache-2.0
// y = V ᵀ (φ(x) − offset): every map that is a matrix times features of the sample. Here φ is the sample itself or its
// centred kernel row over the training samples; new feature maps plug in at FeatureMap.
#pragma once

#include <memory>
#include <string>

#include "foldout/linalg/kernel.h"
#include "foldout/maps/out_of_sample_map.h"

namespace foldout {

/// x ↦ φ(x). Row i of apply() must not depend on the other rows.
class FeatureMap {
 public:
  virtual ~FeatureMap() = default;
  [[nodiscard]] virtual Index n_inputs() const = 0;
  [[nodiscard]] virtual Matrix apply(const MatrixRef& samples) const = 0;
  virtual void save(Archive& archive) const = 0;
};

[[nodiscard]] std::shared_ptr<const FeatureMap> identity_features(Index n_inputs);
/// The centred kernel row of x over `samples`.
[[nodiscard]] std::shared_ptr<const FeatureMap> kernel_features(Matrix samples, const Kernel& kernel,
                                                                const KernelCentering& centering);

class ExplicitMap final : public OutOfSampleMap {
 public:
  /// `V` has a column per coordinate; `offset` is subtracted from the features (empty: nothing is).
  ExplicitMap(MapInfo info, std::shared_ptr<const FeatureMap> features, Matrix V, Vector offset);
  explicit ExplicitMap(const Archive& archive);

  [[nodiscard]] MapInfo info() const override { return info_; }
  void save(Archive& archive) const override;
  [[nodiscard]] const Matrix& matrix() const { return V_; }
  [[nodiscard]] const Vector& offset() const { return offset_; }

 protected:
  [[nodiscard]] Matrix transform_block(const MatrixRef& samples) const override;

 private:
  MapInfo info_;
  std::shared_ptr<const FeatureMap> features_;
  Matrix V_;
  Vector offset_;
};

/// How every map writes and reads its MapInfo.
void save_info(const MapInfo& info, Archive& archive);
[[nodiscard]] MapInfo load_info(const Archive& archive);

}  // namespace foldout
