// SPDX-License-Identifier: Apache-2.0
#include "foldout/maps/explicit_map.h"

#include "core/archive.h"
#include "core/tally.h"
#include "foldout/core/error.h"
#include "linalg/products.h"
#include "maps/feature_map.h"
#include "maps/saved_info.h"

namespace foldout {

ExplicitMap::ExplicitMap(MapInfo info, Features features, Matrix V, Vector offset, Vector intercept)
    : info_(std::move(info)),
      features_(std::move(features)),
      V_(std::move(V)),
      offset_(std::move(offset)),
      intercept_(std::move(intercept)) {}

ExplicitMap::ExplicitMap(const Archive& archive)
    : info_(load_info(archive)),
      features_(load_features(archive, info_.n_features)),
      V_(archive.matrix("V")),
      offset_(archive.vector("offset")),
      intercept_(archive.vector("intercept")) {
  const auto fits = [](const Vector& v, Index width) { return v.size() == 0 || v.size() == width; };
  if (V_.rows() != features_->n_outputs() || V_.cols() != info_.n_components ||
      !fits(offset_, features_->n_outputs()) || !fits(intercept_, info_.n_components))
    throw IoError("the arrays of the map do not fit together");
}

const Matrix* ExplicitMap::samples() const { return features_->samples(); }

void ExplicitMap::save(Archive& archive) const {
  archive.put_text("map", "explicit");
  save_info(info_, archive);
  features_->save(archive);
  archive.put("V", V_);
  archive.put("offset", offset_);
  archive.put("intercept", intercept_);
}

Matrix ExplicitMap::transform_block(const MatrixRef& samples, Tally& tally) const {
  features_->remark(samples, tally);
  Matrix features = features_->apply(samples);
  if (offset_.size() > 0) features.rowwise() -= offset_.transpose();
  Matrix y = multiply_rowwise(features, V_);
  if (intercept_.size() > 0) y.rowwise() += intercept_.transpose();
  return y;
}

}  // namespace foldout
