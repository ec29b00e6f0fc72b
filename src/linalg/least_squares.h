// SPDX-License-Identifier: Apache-2.0
// Regression with a ridge, and symmetric systems.
#pragma once

#include <optional>

#include "foldout/core/types.h"

namespace foldout {

struct RidgeFit {
  Matrix V;                  ///< one row per feature, one column per target
  double ridge = 0;          ///< λ used, relative to tr(ΦᵀΦ)/rank
  Index rank = 0;            ///< of Φ
  double leave_one_out = 0;  ///< ‖error‖_F / ‖Y‖_F when each sample is predicted by the others
};

/// min ‖ΦV − Y‖² + λ‖V‖², λ = ridge · tr(ΦᵀΦ)/rank. If no ridge is given, the one in 10⁻⁹ … 10 with the smallest
/// leave-one-out error, which has a closed form. λ = 0 gives the solution of least norm.
[[nodiscard]] RidgeFit ridge_regression(const MatrixRef& Phi, const MatrixRef& Y, std::optional<double> ridge);

struct SymmetricSolution {
  Matrix V;
  Index rank = 0;  ///< number of eigenvalues kept
};

/// (K + shift·I) V = Y for a symmetric positive definite matrix, by Cholesky; if it is not (numerically) positive
/// definite, V = (K + shift·I)⁺Y without the eigenvalues below 10⁻¹² of the largest.
[[nodiscard]] SymmetricSolution solve_positive_definite(const MatrixRef& K, const MatrixRef& Y, double shift);

/// K⁺Y without the eigenvalues below `tolerance` times the largest.
[[nodiscard]] SymmetricSolution solve_truncated(const MatrixRef& K, const MatrixRef& Y, double tolerance);

}  // namespace foldout
