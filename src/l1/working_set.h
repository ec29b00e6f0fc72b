// SPDX-License-Identifier: Apache-2.0
// Private: the atoms that a simplex works with, copied together where the dictionary is too large to be priced whole at
// every step. Atoms are only ever added.
#pragma once

#include <span>
#include <vector>

#include "foldout/core/types.h"
#include "l1/simplex.h"

namespace foldout::l1 {

class WorkingSet {
 public:
  void clear(Index n_atoms, Index n_rows);
  void add(const Matrix& atoms, std::span<const double> inverse_norms, std::span<const int> chosen);

  [[nodiscard]] bool contains(Index atom) const { return member_[atom] != 0; }
  [[nodiscard]] std::span<const int> atoms() const { return atoms_; }
  [[nodiscard]] Columns columns(double largest_norm) const;

 private:
  std::vector<int> atoms_;
  std::vector<char> member_;
  std::vector<double> by_atom_, inverse_norms_;
  std::vector<float> by_row_;
  Index n_rows_ = 0, room_ = 0;
};

}  // namespace foldout::l1
