// SPDX-License-Identifier: Apache-2.0
// The textbook against which L1 codes are held, and a judge that believes nothing an answer says about itself.
#pragma once

#include <span>

#include "foldout/core/types.h"
#include "foldout/l1/l1_coding.h"

namespace foldout::oracle {

/// The least ‖a‖₁ + ‖e‖₁, by a dense tableau with a⁺, a⁻, e⁺, e⁻ ≥ 0 and Bland's rule. For small problems.
double least_l1(const Matrix& atoms, std::span<const double> x);
/// The least ‖a‖₁ with Σ a_j d_j = x, by two phases; negative where there is none.
double least_l1_exactly(const Matrix& atoms, std::span<const double> x);

/// What can be verified of a code from the data and its certificate alone.
struct Verdict {
  bool well_formed = false;  ///< atoms ascending, in range, not the skipped one; no value is zero; all finite
  double objective = 0;      ///< ‖a‖₁ + ‖x − Σ a_j d_j‖₁
  double error = 0;
  double gap = 0;  ///< of that objective to the certificate's bound
};
Verdict judge(const Matrix& atoms, std::span<const double> x, const L1Code& code, Index skip, bool errors_allowed);

}  // namespace foldout::oracle
