// SPDX-License-Identifier: Apache-2.0
#include "maps/feature_map.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "foldout/core/error.h"
#include "foldout/maps/out_of_sample_map.h"
#include "linalg/distance.h"
#include "linalg/products.h"
#include "maps/saved_info.h"

namespace foldout {
namespace {

class IdentityFeatures final : public FeatureMap {
 public:
  explicit IdentityFeatures(Index n) : n_(n) {}
  [[nodiscard]] Index n_inputs() const override { return n_; }
  [[nodiscard]] Index n_outputs() const override { return n_; }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override { return samples; }
  void save(Archive& archive) const override { archive.put_text("features", "identity"); }

 private:
  Index n_;
};

class KernelFeatures final : public FeatureMap {
 public:
  KernelFeatures(Matrix samples, const Kernel& kernel) : samples_(std::move(samples)), kernel_(kernel) {}
  KernelFeatures(Matrix samples, const Kernel& kernel, const KernelCentering& centering)
      : samples_(std::move(samples)), kernel_(kernel), centering_(centering) {}
  [[nodiscard]] Index n_inputs() const override { return samples_.cols(); }
  [[nodiscard]] Index n_outputs() const override { return samples_.rows(); }
  [[nodiscard]] const Matrix* samples() const override { return &samples_; }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override {
    Matrix rows = kernel_rows(kernel_, samples, samples_);
    if (centering_) centering_->apply(rows);
    return rows;
  }
  void save(Archive& archive) const override {
    archive.put_text("features", centering_ ? "kernel" : "plain_kernel");
    archive.put_text("kernel", name_of(kernel_.kind));
    archive.put("samples", samples_);
    archive.put("width", kernel_.width);
    archive.put("degree", kernel_.degree);
    if (!centering_) return;
    archive.put("column_means", centering_->column_means);
    archive.put("mean", centering_->mean);
  }

 private:
  Matrix samples_;
  Kernel kernel_;
  std::optional<KernelCentering> centering_;
};

constexpr std::string_view kUnitPrefix = "unit_";

class UnitRowFeatures final : public FeatureMap {
 public:
  UnitRowFeatures(Features inner, Matrix samples) : inner_(std::move(inner)), samples_(std::move(samples)) {}
  [[nodiscard]] Index n_inputs() const override { return inner_->n_inputs(); }
  [[nodiscard]] Index n_outputs() const override { return inner_->n_outputs(); }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override { return inner_->apply(unit_rows(samples)); }
  void remark(const MatrixRef& samples, Tally& tally) const override {
    remark_without_direction(samples, Metric::kCosine, tally);
  }
  [[nodiscard]] const Matrix* samples() const override { return samples_.size() > 0 ? &samples_ : nullptr; }
  void save(Archive& archive) const override {
    inner_->save(archive);
    if (samples()) archive.put("samples", samples_);
    archive.put_text("features", std::string(kUnitPrefix) + archive.text("features"));
  }

 private:
  Features inner_;
  Matrix samples_;
};

Features load_kernel(const Archive& archive, Index n_inputs, bool centered) {
  const double degree = archive.number("degree"), width = archive.number("width");
  if (!(width > 0) || !(degree >= 1 && degree <= 1000 && degree == std::floor(degree)))
    throw IoError("the kernel's parameters are out of range");
  const Kernel kernel{parse_name<KernelKind>(archive.text("kernel")), width, static_cast<int>(degree)};
  if (kernel.kind == KernelKind::kPrecomputed) throw IoError("a precomputed kernel cannot be computed from samples");
  Matrix samples = load_samples(archive, n_inputs);
  if (!centered) return kernel_features(std::move(samples), kernel);
  const KernelCentering centering(archive.vector("column_means"), archive.number("mean"));
  if (centering.column_means.size() != samples.rows()) throw IoError("the arrays of the kernel do not fit together");
  return kernel_features(std::move(samples), kernel, centering);
}

}  // namespace

Features identity_features(Index n_inputs) { return std::make_shared<IdentityFeatures>(n_inputs); }

Features kernel_features(Matrix samples, const Kernel& kernel) {
  return std::make_shared<KernelFeatures>(std::move(samples), kernel);
}

Features kernel_features(Matrix samples, const Kernel& kernel, const KernelCentering& centering) {
  return std::make_shared<KernelFeatures>(std::move(samples), kernel, centering);
}

Features on_unit_rows(Features inner, Matrix samples) {
  return std::make_shared<UnitRowFeatures>(std::move(inner), std::move(samples));
}

namespace {

Features load_kind(const std::string& kind, const Archive& archive, Index n_inputs) {
  if (kind == "identity") return identity_features(n_inputs);
  if (kind == "kernel" || kind == "plain_kernel") return load_kernel(archive, n_inputs, kind == "kernel");
  if (kind == "cosine_distances" || kind == "distances" || kind == "precomputed_kernel")
    return load_pair_features(archive, kind, n_inputs);
  if (kind == "random_nodes") return load_random_nodes(archive);
  if (kind == "polynomial" || kind == "hadamard") return load_powers(archive, kind, n_inputs);
  throw IoError(fmt::format("features '{}' are not known to this version", kind));
}

// The file contains the samples as given, not at unit length.
Features load_unit_rows(const std::string& kind, const Archive& archive, Index n_inputs) {
  if (!archive.has("samples")) return on_unit_rows(load_kind(kind, archive, n_inputs));
  Matrix samples = load_samples(archive, n_inputs);
  Archive unit = archive;
  unit.put("samples", unit_rows(samples));
  return on_unit_rows(load_kind(kind, unit, n_inputs), std::move(samples));
}

}  // namespace

Features load_features(const Archive& archive, Index n_inputs) {
  const std::string& kind = archive.text("features");
  Features features;
  if (kind.starts_with(kUnitPrefix))
    features = load_unit_rows(kind.substr(kUnitPrefix.size()), archive, n_inputs);
  else if (archive.has("unit_rows"))  // the first files: a separate entry, and samples at unit length
    features = on_unit_rows(load_kind(kind, archive, n_inputs));
  else
    features = load_kind(kind, archive, n_inputs);
  if (features->n_inputs() != n_inputs) throw IoError("the arrays of the features do not fit together");
  return features;
}

}  // namespace foldout
