// SPDX-License-Identifier: Apache-2.0
// Kernel PCA: principal components in the feature space of a kernel,
//   y_k(x) = Σ_i k_c(x, x_i) v_ki / √λ_k  with  K_c v_k = λ_k v_k,  K_c the centred kernel matrix.
// B. Schölkopf, A. Smola, K.-R. Müller: Nonlinear Component Analysis as a Kernel Eigenvalue Problem, Neural Computation
// 10 (1998). On training samples this is √λ_k v_ki; the map therefore returns their coordinates.
#include "foldout/embed/kpca.h"

#include <fmt/format.h>

#include "core/check.h"
#include "core/keys.h"
#include "embed/fit_samples.h"
#include "embed/scaling.h"
#include "embed/spectral.h"
#include "graph/affinity.h"
#include "linalg/kernel.h"
#include "linalg/products.h"
#include "maps/feature_map.h"

namespace foldout {

Fields fields(KpcaOptions& o) {
  static constexpr Key kernel{"kernel",
                              "gaussian exp(−‖x−y‖²/width), polynomial (xᵀy+1)^degree, or linear; precomputed: the "
                              "samples are rows of kernel values with the training samples; centred"};
  return {{key::n_components, o.n_components},
          {kernel, o.kernel},
          {key::width, o.width},
          {key::degree, o.degree},
          {key::solver, o.solver},
          {key::seed, o.seed}};
}

namespace {

// A linear kernel, centred, is that of the centred samples, and its map is linear: both are then computed without the
// cancellation that samples far from the origin would cause.
KpcaFit fit_linear(const MatrixRef& samples, const KpcaOptions& o, const RunContext& context) {
  KpcaFit fit;
  const Vector mean = samples.colwise().mean();
  Matrix centered = samples.rowwise() - mean.transpose();
  const Vector rest = centered.colwise().mean();  // the rounding error of the mean
  centered.rowwise() -= rest.transpose();
  Matrix K;
  {
    const PhaseTimer timer(fit.report, "kernel", context);
    K = kernel_matrix({.kind = KernelKind::kLinear}, centered, context);
  }
  KernelCentering(K).apply(K);
  Embedding scaled = scaled_eigenvectors(K, o.n_components, o.solver, o.seed, "kpca", context);
  fit.report.absorb(scaled.report);
  fit.coordinates = std::move(scaled.coordinates);
  fit.eigenvalues = std::move(scaled.eigenvalues);
  const Matrix scores = fit.coordinates * fit.eigenvalues.cwiseInverse().asDiagonal();
  Matrix V = transposed_multiply(centered, scores);
  Vector intercept = -V.transpose() * rest;
  const MapInfo info{"nystrom", samples.cols(), o.n_components, TrainingPromise::kExact};
  fit.map =
      std::make_shared<ExplicitMap>(info, identity_features(samples.cols()), std::move(V), mean, std::move(intercept));
  return fit;
}

}  // namespace

KpcaFit fit_kpca(const MatrixRef& given, const KpcaOptions& options, const RunContext& context) {
  KpcaOptions o = options;
  check_fields(fields(o), "kpca");
  const FitSamples checked(given, o.kernel, "kpca");
  const MatrixRef& samples = checked.rows();
  const bool precomputed = o.kernel == KernelKind::kPrecomputed;
  const auto n = static_cast<double>(samples.rows());
  require_memory(2 * 8 * n * n, fmt::format("the kernel matrix of {} samples", samples.rows()), "use fewer samples",
                 context.memory_limit);
  if (o.kernel == KernelKind::kLinear) return fit_linear(samples, o, context);
  Kernel kernel{o.kernel, o.width.value_or(precomputed ? 1 : mean_squared_pair_distance(samples)), o.degree};
  if (kernel.width <= 0) kernel.width = 1;  // all samples coincide
  KpcaFit fit;
  Matrix K;
  {
    const PhaseTimer timer(fit.report, "kernel", context);
    K = precomputed ? Matrix(samples) : kernel_matrix(kernel, samples, context);
  }
  const KernelCentering centering(K);
  centering.apply(K);
  const Embedding scaled = scaled_eigenvectors(K, o.n_components, o.solver, o.seed, "kpca", context);
  fit.report.absorb(scaled.report);
  if (kernel.kind == KernelKind::kGaussian) fit.report.figure("width", kernel.width);
  fit.coordinates = scaled.coordinates;
  fit.eigenvalues = scaled.eigenvalues;
  const MapInfo info{"nystrom", samples.cols(), o.n_components, TrainingPromise::kExact};
  fit.map = std::make_shared<ExplicitMap>(
      info, precomputed ? precomputed_kernel_features(centering) : kernel_features(samples, kernel, centering),
      Matrix(fit.coordinates * fit.eigenvalues.cwiseInverse().asDiagonal()), Vector());
  return fit;
}

}  // namespace foldout
