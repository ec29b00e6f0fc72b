// SPDX-License-Identifier: Apache-2.0
#include "foldout/preprocess/preprocess.h"

#include <fmt/format.h>

#include <cmath>

#include "core/archive.h"
#include "core/check.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"
#include "preprocess/load_preprocessor.h"

namespace foldout {

Fields fields(MinmaxOptions& o) {
  static constexpr Key low{"low", "to which the least value of a feature in the training samples is mapped"};
  static constexpr Key high{"high", "to which the greatest value is mapped; greater than low"};
  return {{low, o.low}, {high, o.high}};
}

namespace {

// (x − mean) / scale, feature by feature.
class Scaling final : public Preprocessor {
 public:
  Scaling(Vector mean, Vector scale) : mean_(std::move(mean)), scale_(std::move(scale)) {}
  [[nodiscard]] Index n_inputs() const override { return mean_.size(); }
  [[nodiscard]] Index n_outputs() const override { return mean_.size(); }
  void save(Archive& archive) const override {
    archive.put_text("step", "scaling");
    archive.put("mean", mean_);
    archive.put("scale", scale_);
  }

 protected:
  [[nodiscard]] Matrix apply_block(const MatrixRef& samples, Index) const override {
    Matrix prepared = samples.rowwise() - mean_.transpose();
    for (Index i = 0; i < prepared.rows(); ++i) prepared.row(i).array() /= scale_.transpose().array();
    return prepared;
  }

 private:
  Vector mean_, scale_;
};

class UnitNorm final : public Preprocessor {
 public:
  explicit UnitNorm(Index n) : n_(n) {}
  [[nodiscard]] Index n_inputs() const override { return n_; }
  [[nodiscard]] Index n_outputs() const override { return n_; }
  void save(Archive& archive) const override {
    archive.put_text("step", "unit_norm");
    archive.put("n_inputs", std::vector<std::int64_t>{n_});
  }

 protected:
  [[nodiscard]] Matrix apply_block(const MatrixRef& samples, Index first_row) const override {
    Matrix prepared = samples;
    for (Index i = 0; i < prepared.rows(); ++i) {
      const double largest = prepared.row(i).cwiseAbs().maxCoeff();
      if (largest == 0)
        throw InvalidArgument(fmt::format("unit_norm: row {} is zero and has no direction: remove it", first_row + i));
      prepared.row(i) /= largest;  // squares of very large or small values would overflow or underflow
      const double* row = prepared.row(i).data();
      prepared.row(i) /= std::sqrt(dot(row, row, n_));
    }
    return prepared;
  }

 private:
  Index n_;
};

}  // namespace

std::shared_ptr<const Preprocessor> fit_center(const MatrixRef& samples) {
  require_samples(samples, 1, "center");
  return std::make_shared<Scaling>(samples.colwise().mean(), Vector::Ones(samples.cols()));
}

std::shared_ptr<const Preprocessor> fit_standardize(const MatrixRef& samples, Report& report) {
  require_samples(samples, 1, "standardize");
  const Vector mean = samples.colwise().mean();
  Vector scale = ((samples.rowwise() - mean.transpose()).colwise().squaredNorm() / static_cast<double>(samples.rows()))
                     .cwiseSqrt();
  // The deviation of a constant feature is zero up to rounding.
  const Vector size = samples.cwiseAbs().colwise().maxCoeff();
  Index constant = 0;
  for (Index j = 0; j < scale.size(); ++j)
    if (scale[j] <= 1e-14 * size[j] || scale[j] == 0) {
      scale[j] = 1;
      ++constant;
    }
  if (constant > 0)
    report.note("constant_features", fmt::format("{} of {} features are constant in the training samples and were only "
                                                 "centred",
                                                 constant, scale.size()));
  return std::make_shared<Scaling>(mean, scale);
}

std::shared_ptr<const Preprocessor> fit_minmax(const MatrixRef& samples, const MinmaxOptions& options, Report& report) {
  MinmaxOptions o = options;
  check_fields(fields(o), "minmax");
  if (!(o.low < o.high))
    throw InvalidArgument(fmt::format("minmax: low = {} must be less than high = {}", o.low, o.high));
  require_samples(samples, 1, "minmax");
  const Vector least = samples.colwise().minCoeff();
  Vector scale = (Vector(samples.colwise().maxCoeff()) - least) / (o.high - o.low);
  Index constant = 0;
  for (Index j = 0; j < scale.size(); ++j)
    if (!(scale[j] > 0)) {
      scale[j] = 1 / (o.high - o.low);
      ++constant;
    }
  if (constant > 0)
    report.note("constant_features",
                fmt::format("{} of {} features are constant in the training samples and were mapped to {}", constant,
                            scale.size(), o.low));
  // (x − least)/range · (high − low) + low, written as (x − offset)/scale
  return std::make_shared<Scaling>(least - o.low * scale, scale);
}

std::shared_ptr<const Preprocessor> fit_unit_norm(const MatrixRef& samples) {
  require_count(samples, 1, "unit_norm");
  return std::make_shared<UnitNorm>(samples.cols());
}

std::shared_ptr<const Preprocessor> load_scaling(const Archive& archive) {
  if (archive.text("step") == "unit_norm") {
    const auto n = archive.integers("n_inputs");
    constexpr std::int64_t kMost = 1 << 30;
    if (n.size() != 1 || n[0] < 1 || n[0] > kMost) throw IoError("unit_norm: the number of features is out of range");
    return std::make_shared<UnitNorm>(n[0]);
  }
  Vector mean = archive.vector("mean"), scale = archive.vector("scale");
  if (mean.size() < 1 || mean.size() != scale.size() || !(scale.minCoeff() > 0))
    throw IoError("the arrays of the scaling step do not fit together");
  return std::make_shared<Scaling>(std::move(mean), std::move(scale));
}

}  // namespace foldout
