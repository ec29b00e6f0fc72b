// SPDX-License-Identifier: Apache-2.0
// One value enters the basis and one leaves it. With the direction d of the entering value, the leaving row t of the
// tableau and the pivot d_l, T becomes T − d t / d_l, the same in all four cases; they differ in what comes and goes:
//   an atom enters, an error leaves    a column and a row more
//   an atom enters, an atom leaves     the leaving atom's row becomes the entering one's
//   an error enters, an error leaves   the entering error's column becomes the leaving one's
//   an error enters, an atom leaves    a column and a row less
#include <algorithm>

#include "l1/kernels.h"
#include "l1/simplex.h"

namespace foldout::l1 {

void Simplex::exchange(const Entering& entering, const Step& step) {
  const bool atom_enters = entering.atom >= 0, error_leaves = step.leaving < n_rows_;
  const double pivot = direction_[step.leaving];
  row_.resize(k());
  for (Index q = 0; q < k(); ++q) row_[q] = column(q)[step.leaving];
  move_prices(step, pivot);
  if (atom_enters && error_leaves) add_place(step.leaving, entering);
  if (!atom_enters) row_[entering.place] = 0;  // this column is replaced, or goes

  const Index n = padded(n_rows_ + k());
  scale(direction_.data(), 1 / pivot, direction_.data(), n);
  subtract_outer(tableau_.data(), stride_, std::span(direction_).first(n), row_);
  work_ += static_cast<double>(n) * static_cast<double>(row_.size());

  Index entered = 0;
  if (!atom_enters) {
    entered = Z_[entering.place];
    y_[entered] = entering.sign;
    place_of_row_[entered] = -1;
    if (error_leaves)
      replace_row(entering.place, step.leaving);
    else
      remove_place(entering.place, step.leaving - n_rows_);
  } else if (error_leaves) {
    entered = n_rows_ + k() - 1;
    std::copy_n(direction_.begin(), stride_, column(k() - 1));
  } else {
    entered = step.leaving;
    replace_atom(step.leaving - n_rows_, entering, pivot);
  }
  values_[entered] = entering.sign * step.length;
  costs_[entered] = entering.sign * (atom_enters ? price_ : 1.0);
}

/// y moves along the leaving row until the entering value costs what it is worth.
void Simplex::move_prices(const Step& step, double pivot) {
  const double change = -step.slope / pivot;
  for (Index q = 0; q < k(); ++q) y_[Z_[q]] -= change * row_[q];
  if (step.leaving < n_rows_) y_[step.leaving] = costs_[step.leaving] + change;
  costs_[step.leaving] = values_[step.leaving] = 0;
}

/// Room for one column and one row; the direction gets an entry for the entering atom itself.
void Simplex::add_place(int row, const Entering& entering) {
  const Index size = k();
  reserve(size + 1);
  std::fill(direction_.begin() + n_rows_ + size, direction_.end(), 0.0);
  direction_[n_rows_ + size] = entering.sign;
  place_of_row_[row] = static_cast<int>(size);
  Z_.push_back(row);
  S_.push_back(entering.atom);
  seat(entering.atom, size);
}

void Simplex::replace_atom(Index position, const Entering& entering, double pivot) {
  for (Index q = 0; q < k(); ++q) column(q)[n_rows_ + position] = -entering.sign * row_[q] / pivot;
  unseat(S_[position]);
  S_[position] = entering.atom;
  seat(entering.atom, position);
}

void Simplex::replace_row(Index place, int row) {
  std::copy_n(direction_.begin(), padded(n_rows_ + k()), column(place));
  Z_[place] = row;
  place_of_row_[row] = static_cast<int>(place);
}

/// The last place and the last position move into the gaps.
void Simplex::remove_place(Index place, Index position) {
  const Index last = k() - 1;
  if (place != last) {
    std::copy_n(column(last), padded(n_rows_ + k()), column(place));
    Z_[place] = Z_[last];
    place_of_row_[Z_[place]] = static_cast<int>(place);
  }
  const auto close_gap = [=](double* coefficients) {
    coefficients[position] = coefficients[last];
    coefficients[last] = 0;
  };
  for (Index q = 0; q < last; ++q) close_gap(column(q) + n_rows_);
  close_gap(values_.data() + n_rows_);
  close_gap(costs_.data() + n_rows_);
  close_gap(norms_.data());
  unseat(S_[position]);
  if (position != last) {
    S_[position] = S_[last];
    position_of_atom_[S_[position]] = static_cast<int>(position);
  }
  Z_.pop_back();
  S_.pop_back();
}

void Simplex::seat(int atom, Index position) {
  position_of_atom_[atom] = static_cast<int>(position);
  norms_[position] = 1 / columns_.inverse_norms[atom];
  set_limit(atom);
}

void Simplex::unseat(int atom) {
  position_of_atom_[atom] = -1;
  set_limit(atom);
}

}  // namespace foldout::l1
