// SPDX-License-Identifier: Apache-2.0
// Regression with a ridge, and symmetric systems.
#pragma once

#include <optional>

#include "foldout/core/types.h"

namespace foldout {

struct RidgeFit {
  Matrix V;                  ///< one row per feature, one column per target
  double ridge = 0;          ///< λ that was used, relative to tr(ΦᵀΦ)/rank
  Index rank = 0;            ///< of Φ
  double leave_one_out = 0;  ///< ‖error‖_F / ‖Y‖_F when each sample is predicted by the others
};

/// min ‖ΦV − Y‖² + λ‖V‖². λ = ridge · tr(ΦᵀΦ)/rank; without a ridge given, the one whose leave-one-out error, which has
/// a closed form, is smallest over 10⁻⁹ … 10. With λ = 0: the solution of least norm.
[[nodiscard]] RidgeFit ridge_regression(const MatrixRef& Phi, const MatrixRef& Y, std::optional<double> ridge);

struct SymmetricSolution {
  Matrix V;
  Index rank = 0;  ///< what was kept of K
};

/// (K + shift·I) V = Y for a symmetric positive definite matrix, by Cholesky; where it is not (numerically) positive
/// definite, V = K⁺Y with the eigenvalues below 10⁻¹² of the largest cut, and `rank` < n says so.
[[nodiscard]] SymmetricSolution solve_positive_definite(const MatrixRef& K, const MatrixRef& Y, double shift);

/// K⁺Y with the eigenvalues below `tolerance` times the largest cut.
[[nodiscard]] SymmetricSolution solve_truncated(const MatrixRef& K, const MatrixRef& Y, double tolerance);

}  // namespace foldout
