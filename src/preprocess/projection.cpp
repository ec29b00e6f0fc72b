// SPDX-License-Identifier: Apache-2.0
#include "foldout/preprocess/preprocess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/archive.h"
#include "core/check.h"
#include "core/keys.h"
#include "core/random.h"
#include "foldout/core/error.h"
#include "linalg/eigenpairs.h"
#include "linalg/kernel.h"
#include "linalg/products.h"
#include "linalg/svd.h"
#include "preprocess/load_preprocessor.h"

namespace foldout {

namespace {

constexpr Key kMaybeComponents{"n_components", "directions to keep; auto: all that carry variance", "d", 1};

// Without a wanted number, the fewest that explain at least `variance`.
Index axes_to_keep(const PrincipalAxes& axes, const std::optional<ComponentCount>& wanted, double variance) {
  const Index rank = axes.axes.cols();
  if (wanted) return axes.count(*wanted, "pca");
  const double least = variance * axes.total_variance * (1 - 1e-12);
  Index kept = 0;
  for (double sum = 0; kept < rank && sum < least;) sum += axes.variances[kept++];
  return kept;
}

// x ↦ Vᵀ(x − offset)
class LinearStep final : public Preprocessor {
 public:
  LinearStep(Matrix V, Vector offset) : V_(std::move(V)), offset_(std::move(offset)) {}
  [[nodiscard]] Index n_inputs() const override { return V_.rows(); }
  [[nodiscard]] Index n_outputs() const override { return V_.cols(); }
  void save(Archive& archive) const override {
    archive.put_text("step", "linear");
    archive.put("V", V_);
    archive.put("offset", offset_);
  }

 protected:
  [[nodiscard]] Matrix apply_block(const MatrixRef& samples, Index) const override {
    return multiply_rowwise(samples.rowwise() - offset_.transpose(), V_);
  }

 private:
  Matrix V_;
  Vector offset_;
};

// x ↦ Vᵀ k_c(x)
class KernelStep final : public Preprocessor {
 public:
  KernelStep(Matrix samples, const Kernel& kernel, KernelCentering centering, Matrix V)
      : samples_(std::move(samples)), kernel_(kernel), centering_(std::move(centering)), V_(std::move(V)) {}
  [[nodiscard]] Index n_inputs() const override { return samples_.cols(); }
  [[nodiscard]] Index n_outputs() const override { return V_.cols(); }
  void save(Archive& archive) const override {
    archive.put_text("step", "kernel");
    archive.put("samples", samples_);
    archive.put("kernel", std::vector<std::int64_t>{static_cast<std::int64_t>(kernel_.kind), kernel_.degree});
    archive.put("width", kernel_.width);
    archive.put("column_means", centering_.column_means);
    archive.put("mean", centering_.mean);
    archive.put("V", V_);
  }

 protected:
  [[nodiscard]] Matrix apply_block(const MatrixRef& samples, Index) const override {
    Matrix rows = kernel_rows(kernel_, samples, samples_);
    centering_.apply(rows);
    return multiply_rowwise(rows, V_);
  }

 private:
  Matrix samples_;
  Kernel kernel_;
  KernelCentering centering_;
  Matrix V_;
};

}  // namespace

Fields fields(RandomProjectionOptions& o) { return {{key::n_components, o.n_components}, {key::seed, o.seed}}; }

Fields fields(PcaStepOptions& o) {
  static constexpr Key n_components{
      "n_components",
      "directions to keep, or as many as explain more than a fraction of the variance, such as 0.95; auto: by variance",
      "d", 1};
  static constexpr Key variance{"variance", "least fraction of the variance to keep if n_components is auto", "", 0, 1,
                                true};
  static constexpr Key whiten{"whiten", "scale each direction to unit variance"};
  return {{n_components, o.n_components}, {variance, o.variance}, {whiten, o.whiten}};
}

Fields fields(KernelWhiteningOptions& o) {
  return {{kMaybeComponents, o.n_components},
          {key::kernel, o.kernel, key::kSampleKernels},
          {key::width, o.width},
          {key::degree, o.degree}};
}

std::shared_ptr<const Preprocessor> fit_random_projection(const MatrixRef& samples,
                                                          const RandomProjectionOptions& options) {
  RandomProjectionOptions o = options;
  check_fields(fields(o), "random_projection");
  require_samples(samples, 1, "random_projection");
  require_memory(8.0 * o.n_components * static_cast<double>(2 * samples.cols() + samples.rows()),
                 fmt::format("random_projection to {} components", o.n_components), "lower n_components");
  Matrix R = Rng(o.seed).normal_matrix(samples.cols(), o.n_components) / std::sqrt(static_cast<double>(o.n_components));
  return std::make_shared<LinearStep>(std::move(R), Vector::Zero(samples.cols()));
}

std::shared_ptr<const Preprocessor> fit_pca_step(const MatrixRef& samples, const PcaStepOptions& options) {
  PcaStepOptions o = options;
  check_fields(fields(o), "pca");
  require_samples(samples, 2, "pca");
  const PrincipalAxes axes = principal_axes(samples);
  require_rank(axes.axes.cols(), 1, "samples", "pca");
  const Index kept = axes_to_keep(axes, o.n_components, o.variance);
  Matrix V = axes.axes.leftCols(kept);
  if (o.whiten) V = V * axes.variances.head(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  return std::make_shared<LinearStep>(std::move(V), axes.mean);
}

std::shared_ptr<const Preprocessor> fit_kernel_whitening(const MatrixRef& samples,
                                                         const KernelWhiteningOptions& options,
                                                         const RunContext& context) {
  KernelWhiteningOptions o = options;
  check_fields(fields(o), "kernel_whitening");
  require_samples(samples, 2, "kernel_whitening");
  const auto n = static_cast<double>(samples.rows());
  require_memory(3 * 8 * n * n, fmt::format("kernel_whitening of {} samples", samples.rows()), "use fewer samples",
                 context.memory_limit);
  Kernel kernel{o.kernel, 1, o.degree};
  const Eigen::RowVectorXd mean = samples.colwise().mean();
  const double pair_distance = 2 * (samples.rowwise() - mean).squaredNorm() / (n - 1);
  kernel.width = o.width.value_or(pair_distance > 0 ? pair_distance : 1);
  Matrix K = kernel_matrix(kernel, samples, context);
  const KernelCentering centering(K);
  centering.apply(K);
  const Eigenpairs pairs = all_eigenpairs(K);  // ascending
  constexpr double kLeast = 1e-6;
  const Index size = pairs.values.size();
  const double largest = pairs.values[size - 1];
  Index rank = 0;
  while (rank < size && largest > 0 && pairs.values[size - 1 - rank] > kLeast * largest) ++rank;
  const Index kept = o.n_components.value_or(static_cast<int>(rank));
  if (kept > rank || rank == 0)
    throw InvalidArgument(
        fmt::format("kernel_whitening: n_components = {}, but only {} directions carry variance: ask "
                    "for at most that many",
                    kept, rank));
  // The component k_c(x)ᵀv/√λ has variance λ/n over the training samples.
  Matrix V(size, kept);
  for (Index c = 0; c < kept; ++c)
    V.col(c) = pairs.vectors.col(size - 1 - c) * std::sqrt(n) / pairs.values[size - 1 - c];
  return std::make_shared<KernelStep>(samples, kernel, centering, std::move(V));
}

std::shared_ptr<const Preprocessor> load_linear_step(const Archive& archive) {
  Matrix V = archive.matrix("V");
  Vector offset = archive.vector("offset");
  if (V.size() == 0 || offset.size() != V.rows()) throw IoError("the arrays of the projection do not fit together");
  return std::make_shared<LinearStep>(std::move(V), std::move(offset));
}

std::shared_ptr<const Preprocessor> load_kernel_step(const Archive& archive) {
  Matrix samples = archive.matrix("samples"), V = archive.matrix("V");
  const auto kernel = archive.integers("kernel");
  const double width = archive.number("width");
  const KernelCentering centering(archive.vector("column_means"), archive.number("mean"));
  const bool fits = samples.size() > 0 && V.cols() > 0 && V.rows() == samples.rows() &&
                    centering.column_means.size() == samples.rows() && kernel.size() == 2 && kernel[0] >= 0 &&
                    kernel[0] < static_cast<std::int64_t>(KernelKind::kPrecomputed) && kernel[1] >= 1 &&
                    kernel[1] <= 1000 && width > 0;
  if (!fits) throw IoError("the arrays of the kernel step do not fit together");
  const Kernel read{static_cast<KernelKind>(kernel[0]), width, static_cast<int>(kernel[1])};
  return std::make_shared<KernelStep>(std::move(samples), read, centering, std::move(V));
}

}  // namespace foldout
