// SPDX-License-Identifier: Apache-2.0
// Private: the small systems of local codes, (G + λ diag(G) + μI) x ∝ 1. With neighbours in order of distance, the
// system over the first τ of them is a leading block of the system over all, and so is its Cholesky factor: one
// factorisation gives the codes for every τ.
#pragma once

#include <span>

#include "dictionary/local_codes.h"
#include "foldout/core/types.h"

namespace foldout {

class CodeSolver {
 public:
  /// G over all neighbours; only its lower triangle is read.
  [[nodiscard]] Matrix& gram() { return gram_; }
  void factor(const LocalCodeWeights& weights);
  /// The code over the first code.size() neighbours; returns its cost. Finite and with sum one even if the system is
  /// singular: the smallest ridge that makes it solvable is then added.
  double solve(std::span<double> code) const;

 private:
  Matrix gram_, factor_;
  Vector forward_;    // L⁻¹ 1
  Index solved_ = 0;  // rows of the factor whose pivots are positive
  LocalCodeWeights weights_;
};

}  // namespace foldout
