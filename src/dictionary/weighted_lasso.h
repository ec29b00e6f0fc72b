// SPDX-License-Identifier: Apache-2.0
// Private: min ½‖y − Σ_j x_j d_j‖² + Σ_j p_j |x_j|, exactly, for many y over the same atoms.
#pragma once

#include <vector>

#include "dictionary/code_rows.h"
#include "foldout/core/types.h"

namespace foldout {

/// One solver per thread; a code does not depend on previous ones.
class WeightedLasso {
 public:
  /// `gram`: d_jᵀd_l, must outlive this.
  explicit WeightedLasso(const Matrix& gram);

  /// Replaces `code`, from which it starts (any code, or an empty one), by the minimum. `products` are d_jᵀy,
  /// `penalties` p_j ≥ 0, `size` is ‖y‖. At the end |d_jᵀ(y − Σ x d)| ≤ p_j for every atom, with equality and the sign
  /// of x_j for those in the code, up to 10⁻¹² ‖d_j‖ ‖y‖ and the rounding of the system that gives the code.
  void solve(const double* products, const double* penalties, double size, CodeRow& code);

 private:
  bool settle(const double* products, const double* penalties);
  Index grow_factor();
  void direction_to_minimum(const double* products, const double* penalties);
  void flat_direction(const double* products, const double* penalties, Index dependent);
  [[nodiscard]] std::pair<Index, double> first_zero() const;
  void remove(Index i);
  void add(int atom, double value, double sign);

  const Matrix& gram_;
  Vector lengths_;             // ‖d_j‖
  std::vector<int> atoms_;     // of the code
  std::vector<double> x_, s_;  // its coefficients and their signs
  ColMatrix factor_;           // Cholesky factor of the first `factored_` atoms' Gram matrix
  Index factored_ = 0;
  Vector direction_, left_;  // left_: d_jᵀ(y − Σ x d)
};

}  // namespace foldout
