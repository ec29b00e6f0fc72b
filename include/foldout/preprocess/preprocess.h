// SPDX-License-Identifier: Apache-2.0
// Preprocessing steps: fitted on training samples, stored in the model, applied to new ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

class Archive;

/// Immutable. apply() treats samples independently: a row does not depend on the others, bit for bit.
class Preprocessor {
 public:
  virtual ~Preprocessor() = default;
  [[nodiscard]] virtual Index n_inputs() const = 0;
  [[nodiscard]] virtual Index n_outputs() const = 0;
  virtual void save(Archive& archive) const = 0;

  /// Throws InvalidArgument for a different number of features, non-finite values, or samples for which the step is not
  /// defined.
  [[nodiscard]] Matrix apply(const MatrixRef& samples, const RunContext& context = {}) const;

 protected:
  /// For a block of checked samples, the first of which is row `first_row` of all.
  [[nodiscard]] virtual Matrix apply_block(const MatrixRef& samples, Index first_row) const = 0;
};

// center, standardize, minmax, unit_norm.

/// Subtracts the mean of the training samples.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_center(const MatrixRef& samples);

/// Subtracts the mean and divides by the standard deviation (divisor n) of each feature. A feature that is constant in
/// training is only centred; the report notes it.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_standardize(const MatrixRef& samples, Report& report);

struct MinmaxOptions {
  double low = 0;   ///< to which the least value of a feature is mapped
  double high = 1;  ///< to which the greatest is mapped; greater than low
};
[[nodiscard]] Fields fields(MinmaxOptions& options);

/// Maps the range of each feature over the training samples to [low, high]. A new sample beyond that range is mapped by
/// the same line and lies outside [low, high]: nothing is clipped. A feature that is constant in training becomes low;
/// the report notes it.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_minmax(const MatrixRef& samples, const MinmaxOptions& options,
                                                             Report& report);

/// Divides each sample by its own Euclidean length; a sample of length 0 is an error.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_unit_norm(const MatrixRef& samples);

// random_projection, pca, kernel_whitening.

struct RandomProjectionOptions {
  int n_components = 200;  ///< coordinates per sample
  std::uint64_t seed = 0;  ///< of the Gaussian matrix
};
[[nodiscard]] Fields fields(RandomProjectionOptions& options);

/// x ↦ Rᵀx, entries of R drawn from N(0, 1/n_components): squared lengths are preserved on average.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_random_projection(const MatrixRef& samples,
                                                                        const RandomProjectionOptions& options = {});

struct PcaStepOptions {
  std::optional<ComponentCount> n_components = {};  ///< directions to keep; auto: as many as `variance` requires
  double variance = 1;                              ///< least fraction of the variance to keep if n_components is auto
  bool whiten = false;                              ///< scale each direction to unit variance
};
[[nodiscard]] Fields fields(PcaStepOptions& options);

/// x ↦ Vᵀ(x − mean).
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_pca_step(const MatrixRef& samples,
                                                               const PcaStepOptions& options = {});

struct KernelWhiteningOptions {
  std::optional<int> n_components = {};  ///< directions to keep; auto: all with a variance above 1e-6 of the largest
  KernelKind kernel = KernelKind::kGaussian;  ///< k
  std::optional<double> width = {};           ///< β of the Gaussian; auto: mean squared distance of all pairs
  int degree = 2;                             ///< of the polynomial kernel
};
[[nodiscard]] Fields fields(KernelWhiteningOptions& options);

/// Kernel principal components, each scaled to unit variance over the training samples (Tax and Juszczak, 2003).
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_kernel_whitening(const MatrixRef& samples,
                                                                       const KernelWhiteningOptions& options = {},
                                                                       const RunContext& context = {});

// Histogram equalisation of images, each by its own histogram.

struct HistogramEqualizationOptions {
  int levels = 64;  ///< grey levels of the result, spaced evenly in [0, 1]
};
[[nodiscard]] Fields fields(HistogramEqualizationOptions& options);

/// Pixels are counted in 256 bins over the range of the training samples (values outside count in the nearest bin); a
/// pixel is replaced by the fraction of pixels that are not brighter, rounded to the nearest level.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_histogram_equalization(
    const MatrixRef& samples, const HistogramEqualizationOptions& options = {});

}  // namespace foldout
