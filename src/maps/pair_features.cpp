// SPDX-License-Identifier: Apache-2.0
// Features that compare a sample with every training sample: squared distances, and kernel values computed elsewhere.
#include <cmath>

#include "foldout/core/error.h"
#include "linalg/metric_distances.h"
#include "maps/feature_map.h"
#include "maps/saved_info.h"

namespace foldout {

void remark_without_direction(const MatrixRef& samples, Metric metric, Tally& tally) {
  const bool constant = metric == Metric::kCorrelation;
  const Matrix unit = constant ? directions(samples, metric) : Matrix();
  const MatrixRef& rows = constant ? MatrixRef(unit) : samples;
  for (Index i = 0; i < rows.rows(); ++i)
    if ((rows.row(i).array() == 0).all())
      tally.remark("no_direction",
                   constant ? "all features equal, so correlations with others are undefined"
                            : "length 0, so angles to others are undefined",
                   i);
}

namespace {

class SquaredDistanceFeatures final : public FeatureMap {
 public:
  SquaredDistanceFeatures(Matrix samples, Metric metric)
      : samples_(std::move(samples)), metric_(metric), distances_(samples_, metric) {}
  [[nodiscard]] Index n_inputs() const override { return samples_.cols(); }
  [[nodiscard]] Index n_outputs() const override { return given() ? samples_.cols() : samples_.rows(); }
  [[nodiscard]] const Matrix* samples() const override { return given() ? nullptr : &samples_; }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override { return distances_.squared(samples); }
  void remark(const MatrixRef& samples, Tally& tally) const override {
    if (by_angle(metric_)) remark_without_direction(samples, metric_, tally);
  }
  void save(Archive& archive) const override {
    archive.put_text("features", metric_ == Metric::kCosine ? "cosine_distances" : "distances");
    if (metric_ != Metric::kCosine) archive.put_text("metric", name_of(metric_));
    if (!given()) archive.put("samples", samples_);
  }

 private:
  [[nodiscard]] bool given() const { return metric_ == Metric::kPrecomputed; }

  Matrix samples_;
  Metric metric_;
  DistancesTo distances_;
};

class PrecomputedKernelFeatures final : public FeatureMap {
 public:
  explicit PrecomputedKernelFeatures(KernelCentering centering) : centering_(std::move(centering)) {}
  [[nodiscard]] Index n_inputs() const override { return centering_.column_means.size(); }
  [[nodiscard]] Index n_outputs() const override { return centering_.column_means.size(); }
  [[nodiscard]] Matrix apply(const MatrixRef& samples) const override {
    Matrix rows = samples;
    centering_.apply(rows);
    return rows;
  }
  void save(Archive& archive) const override {
    archive.put_text("features", "precomputed_kernel");
    archive.put("column_means", centering_.column_means);
    archive.put("mean", centering_.mean);
  }

 private:
  KernelCentering centering_;
};

}  // namespace

Features squared_distance_features(Matrix samples, Metric metric) {
  if (metric == Metric::kPrecomputed) samples = Matrix(0, samples.cols());
  return std::make_shared<SquaredDistanceFeatures>(std::move(samples), metric);
}

Features precomputed_kernel_features(const KernelCentering& centering) {
  return std::make_shared<PrecomputedKernelFeatures>(centering);
}

Features load_pair_features(const Archive& archive, std::string_view kind, Index n_inputs) {
  if (kind == "precomputed_kernel") {
    const KernelCentering centering(archive.vector("column_means"), archive.number("mean"));
    if (centering.column_means.size() != n_inputs) throw IoError("the arrays of the kernel do not fit together");
    return precomputed_kernel_features(centering);
  }
  const Metric metric = kind == "cosine_distances" ? Metric::kCosine : parse_name<Metric>(archive.text("metric"));
  if (metric == Metric::kPrecomputed) return squared_distance_features(Matrix(0, n_inputs), metric);
  return squared_distance_features(load_samples(archive, n_inputs), metric);
}

}  // namespace foldout
