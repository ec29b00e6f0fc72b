// SPDX-License-Identifier: Apache-2.0
#include "l1/working_set.h"

#include <algorithm>

namespace foldout::l1 {

void WorkingSet::clear(Index n_atoms, Index n_rows) {
  n_rows_ = n_rows;
  room_ = 0;
  atoms_.clear();
  by_atom_.clear();
  inverse_norms_.clear();
  member_.assign(n_atoms, 0);
}

void WorkingSet::add(const Matrix& atoms, std::span<const double> inverse_norms, std::span<const int> chosen) {
  auto old = static_cast<Index>(atoms_.size());
  for (const int j : chosen) {
    atoms_.push_back(j);
    member_[j] = 1;
    inverse_norms_.push_back(inverse_norms[j]);
    by_atom_.insert(by_atom_.end(), atoms.row(j).data(), atoms.row(j).data() + n_rows_);
  }
  const auto count = static_cast<Index>(atoms_.size());
  if (count > room_) {
    room_ = std::max<Index>(512, 2 * count);
    by_row_.resize(n_rows_ * room_);
    old = 0;
  }
  for (Index i = 0; i < n_rows_; ++i)
    for (Index j = old; j < count; ++j)
      by_row_[i * room_ + j] = static_cast<float>(by_atom_[j * n_rows_ + i] * inverse_norms_[j]);
}

Columns WorkingSet::columns(double largest_norm) const {
  return {.by_atom = by_atom_.data(),
          .by_row = by_row_.data(),
          .row_stride = room_,
          .count = static_cast<Index>(atoms_.size()),
          .inverse_norms = inverse_norms_,
          .largest_norm = largest_norm,
          .barred = -1};
}

}  // namespace foldout::l1
