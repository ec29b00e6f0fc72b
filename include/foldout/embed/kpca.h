// SPDX-License-Identifier: Apache-2.0
// Kernel principal component analysis (Schölkopf, Smola and Müller, 1998).
#pragma once

#include <memory>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/embed/embedding.h"
#include "foldout/maps/explicit_map.h"

namespace [[gnu::visibility("default")]] foldout {

struct KpcaOptions {
  int n_components = 2;                       ///< d
  KernelKind kernel = KernelKind::kGaussian;  ///< k
  std::optional<double> width = {};           ///< β of the Gaussian; auto: mean squared distance of all pairs
  int degree = 2;                             ///< of the polynomial kernel
  EigenSolver solver = EigenSolver::kAuto;    ///< dense or lanczos
  std::uint64_t seed = 0;                     ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(KpcaOptions& options);

/// eigenvalues: of the centred kernel matrix, largest first.
struct KpcaFit : Embedding {
  std::shared_ptr<const ExplicitMap> map;  ///< y_k(x) = Σ_i k_c(x, x_i) v_ki / √λ_k
};

[[nodiscard]] KpcaFit fit_kpca(const MatrixRef& samples, const KpcaOptions& options = {},
                               const RunContext& context = {});

}  // namespace foldout
