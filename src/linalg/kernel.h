// SPDX-License-Identifier: Apache-2.0
// Kernels between samples: gaussian exp(−‖x−y‖²/width), polynomial (xᵀy + 1)^degree, linear xᵀy.
#pragma once

#include <array>
#include <string_view>

#include "core/archive.h"
#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

struct Kernel {
  KernelKind kind = KernelKind::kGaussian;
  double width = 1;  ///< β of the Gaussian
  int degree = 2;    ///< of the polynomial
};

/// k(a_i, b_j) for all rows; row i does not depend on the other rows of A, bit for bit.
[[nodiscard]] Matrix kernel_rows(const Kernel& kernel, const MatrixRef& A, const MatrixRef& B);

/// The symmetric matrix of all training samples, on the threads of the context.
[[nodiscard]] Matrix kernel_matrix(const Kernel& kernel, const MatrixRef& X, const RunContext& context);

/// Centring in feature space subtracts the mean of each column of K and of all its entries.
struct KernelCentering {
  Vector column_means;
  double mean = 0;

  explicit KernelCentering(const MatrixRef& K);
  KernelCentering(Vector means, double total) : column_means(std::move(means)), mean(total) {}
  /// K_ij − mean_i − mean_j + mean, for rows of training or of new samples.
  void apply(Matrix& rows) const;
};

}  // namespace foldout
