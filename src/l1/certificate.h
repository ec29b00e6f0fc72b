// SPDX-License-Identifier: Apache-2.0
// Private: what a code is worth, and how far from the best it can be. Any y bounds every objective from below:
//   ‖a‖₁ + ‖e‖₁ ≥ xᵀy / max(1, ‖Dy‖∞, ‖y‖∞)   with errors,   ‖a‖₁ ≥ xᵀy / ‖Dy‖∞   without (D: the atoms as rows).
#pragma once

#include <span>
#include <vector>

#include "foldout/core/types.h"
#include "foldout/l1/l1_coding.h"

namespace foldout::l1 {

enum class Errors { kAllowed, kForbidden };

/// D y, 0 for the atom `skip`.
void price_atoms(const Matrix& atoms, std::span<const double> y, Index skip, std::vector<double>& g);

/// The bound of y, not below the trivial 0.
[[nodiscard]] double dual_bound(std::span<const double> x, std::span<const double> y, std::span<const double> g,
                                Errors errors);

/// Sorts a code's atoms, drops coefficients of nothing, and computes error and objective anew from e = x − Σ a_j d_j.
void account(const Matrix& atoms, std::span<const double> x, L1Code& code);

/// (objective − bound) / objective, 0 for an objective of 0, 1 where either is not a number.
[[nodiscard]] double relative_gap(double objective, double bound);

}  // namespace foldout::l1
