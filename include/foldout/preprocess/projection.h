// SPDX-License-Identifier: Apache-2.0
// random_projection, pca, kernel_whitening.
#pragma once

#include <cstdint>
#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/preprocess/preprocessor.h"

namespace foldout {

struct RandomProjectionOptions {
  int n_components = 200;  ///< dimensions to keep
  std::uint64_t seed = 0;  ///< of the Gaussian matrix
};
[[nodiscard]] Fields fields(RandomProjectionOptions& options);

/// x ↦ Rᵀx, entries of R drawn from N(0, 1/n_components): lengths are kept on average.
[[nodiscard]] std::shared_ptr<const Preprocessor> fit_random_projection(const MatrixRef& samples,
                                                                        const RandomProjectionOptions& options = {});

struct PcaStepOptions {
  std::optional<int> n_components = {};  ///< directions to keep; auto: as `variance` asks
  double variance = 1;                   ///< part of the total variance to keep, when n_components is auto
  bool whiten = false;                   ///< scale each direction to unit variance
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

}  // namespace foldout
