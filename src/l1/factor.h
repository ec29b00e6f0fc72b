// SPDX-License-Identifier: Apache-2.0
// Private: P B = L U of the small square matrix of a basis, in our own loops, so that the solver gives the
// same bits whatever BLAS is there.
#pragma once

#include <span>
#include <vector>

#include "foldout/core/types.h"

namespace foldout::l1 {

class Factor {
 public:
  /// The size × size matrix to be factorised, column-major, to be filled in.
  [[nodiscard]] std::span<double> prepare(Index size);
  /// False: singular to working precision.
  [[nodiscard]] bool factorize();

  void solve(std::span<double> b);             ///< b becomes B⁻¹ b
  void solve_transposed(std::span<double> b);  ///< b becomes B⁻ᵀ b

 private:
  [[nodiscard]] double* column(Index j) { return entries_.data() + j * size_; }

  Index size_ = 0;
  std::vector<double> entries_, row_;
  std::vector<Index> swapped_;  ///< row p changed places with row swapped_[p] ≥ p
};

}  // namespace foldout::l1
