// SPDX-License-Identifier: Apache-2.0
#include "foldout/maps/explicit_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "foldout/core/error.h"
#include "foldout/linalg/products.h"

namespace foldout {
namespace {

class IdentityFeatures final : public FeatureMap {
 public:
  explicit IdentityFeatures(Index n) : n_(n) {}
  [[nodiscard]] Index n_inputs() const override { return n_; }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override { return samples; }
  void save(Archive& archive) const override {
    archive.put_text("features", "identity");
    archive.put("n_inputs", static_cast<double>(n_));
  }

 private:
  Index n_;
};

class KernelFeatures final : public FeatureMap {
 public:
  KernelFeatures(Matrix samples, const Kernel& kernel, KernelCentering centering)
      : samples_(std::move(samples)), kernel_(kernel), centering_(std::move(centering)) {}
  [[nodiscard]] Index n_inputs() const override { return samples_.cols(); }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override {
    Matrix rows = kernel_rows(kernel_, samples, samples_);
    centering_.apply(rows);
    return rows;
  }
  void save(Archive& archive) const override {
    archive.put_text("features", "kernel");
    archive.put_text("kernel", name_of(kernel_.kind));
    archive.put("samples", samples_);
    archive.put("width", kernel_.width);
    archive.put("degree", kernel_.degree);
    archive.put("column_means", centering_.column_means);
    archive.put("mean", centering_.mean);
  }

 private:
  Matrix samples_;
  Kernel kernel_;
  KernelCentering centering_;
};

template <class E>
E parse_name(const std::string& text) {
  const auto it = std::ranges::find(kNames<E>, text);
  if (it == kNames<E>.end()) throw IoError(fmt::format("'{}' is not known to this version", text));
  return static_cast<E>(it - kNames<E>.begin());
}

std::shared_ptr<const FeatureMap> load_features(const Archive& archive, Index n_features) {
  const std::string& kind = archive.text("features");
  if (kind == "identity") return identity_features(n_features);
  if (kind != "kernel") throw IoError(fmt::format("features '{}' are not known to this version", kind));
  const double degree = archive.number("degree"), width = archive.number("width");
  if (!(width > 0) || !(degree >= 1 && degree <= 1000)) throw IoError("the kernel's parameters are out of range");
  const Kernel kernel{parse_name<KernelKind>(archive.text("kernel")), width, static_cast<int>(degree)};
  Matrix samples = archive.matrix("samples");
  const KernelCentering centering(archive.vector("column_means"), archive.number("mean"));
  if (samples.cols() != n_features || centering.column_means.size() != samples.rows())
    throw IoError("the arrays of the kernel do not fit together");
  return kernel_features(std::move(samples), kernel, centering);
}

}  // namespace

std::shared_ptr<const FeatureMap> identity_features(Index n_inputs) {
  return std::make_shared<IdentityFeatures>(n_inputs);
}

std::shared_ptr<const FeatureMap> kernel_features(Matrix samples, const Kernel& kernel,
                                                  const KernelCentering& centering) {
  return std::make_shared<KernelFeatures>(std::move(samples), kernel, centering);
}

ExplicitMap::ExplicitMap(MapInfo info, std::shared_ptr<const FeatureMap> features, Matrix V, Vector offset)
    : info_(std::move(info)), features_(std::move(features)), V_(std::move(V)), offset_(std::move(offset)) {}

ExplicitMap::ExplicitMap(const Archive& archive)
    : info_(load_info(archive)),
      features_(load_features(archive, info_.n_features)),
      V_(archive.matrix("V")),
      offset_(archive.vector("offset")) {
  const bool kernel = archive.text("features") == "kernel";
  const Index width = kernel ? archive.matrix("samples").rows() : info_.n_features;
  if (V_.rows() != width || V_.cols() != info_.n_components || (offset_.size() != 0 && offset_.size() != width))
    throw IoError("the arrays of the map do not fit together");
}

void ExplicitMap::save(Archive& archive) const {
  archive.put_text("map", "explicit");
  save_info(info_, archive);
  features_->save(archive);
  archive.put("V", V_);
  archive.put("offset", offset_);
}

Matrix ExplicitMap::transform_block(const MatrixRef& samples) const {
  Matrix features = features_->apply(samples);
  if (offset_.size() > 0) features.rowwise() -= offset_.transpose();
  return multiply_rowwise(features, V_);
}

void save_info(const MapInfo& info, Archive& archive) {
  archive.put_text("name", info.name);
  archive.put_text("promise", name_of(info.promise));
  archive.put("shape", std::vector<std::int64_t>{info.n_features, info.n_components});
}

MapInfo load_info(const Archive& archive) {
  const auto shape = archive.integers("shape");
  constexpr std::int64_t kMost = 1 << 30;
  if (shape.size() != 2 || shape[0] < 1 || shape[0] > kMost || shape[1] < 1 || shape[1] > kMost)
    throw IoError("the shape of the map is not one");
  return {archive.text("name"), shape[0], shape[1], parse_name<TrainingPromise>(archive.text("promise"))};
}

}  // namespace foldout
