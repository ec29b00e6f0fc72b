// SPDX-License-Identifier: Apache-2.0
// The values, the prices and the tableau of a basis from a factorisation of B = A[Z,S].
#include <algorithm>
#include <cmath>
#include <limits>

#include "l1/kernels.h"
#include "l1/simplex.h"
#include "linalg/add_rows.h"

namespace foldout::l1 {

/// Room for k columns of n_rows + k values, the ones in use moved along. What lies behind the values in use is zero, in
/// every column, so that loops may run over whole blocks.
void Simplex::reserve(Index k_needed) {
  if (stride_ > n_rows_ + k_needed) return;
  const Index room = std::max<Index>(48, 2 * k_needed);
  const Index stride = padded(n_rows_ + room + 1);
  const Index used = stride_ == 0 ? 0 : k(), old = stride_;
  tableau_.resize(std::max(tableau_.size(), static_cast<std::size_t>(stride * (stride - n_rows_) + kLanes)));
  for (Index q = used - 1; q >= 0; --q) {
    std::copy_backward(column(q), column(q) + old, tableau_.data() + q * stride + old);
    std::fill_n(tableau_.data() + q * stride + old, stride - old, 0.0);
  }
  stride_ = stride;
  for (auto* values : {&values_, &costs_, &direction_}) values->resize(stride, 0.0);
  norms_.resize(padded(stride - n_rows_), 0.0);
}

/// Factorises B and computes values and prices from it; the tableau is left for refresh().
bool Simplex::factorize() {
  const Index size = k();
  const std::span<double> basis = factor_.prepare(size);
  for (Index p = 0; p < size; ++p)
    for (Index q = 0; q < size; ++q) basis[p * size + q] = atom(S_[p])[Z_[q]];
  work_ += std::pow(size, 3) / 3;
  tableau_is_current_ = size == 0;
  since_refresh_ = 0;
  if (!factor_.factorize()) return false;
  compute_values();
  compute_prices();
  return true;
}

bool Simplex::refresh() {
  if (!factorize()) return false;
  const Index size = k();
  for (Index q = 0; q < size; ++q) {
    row_.assign(size, 0.0);
    row_[q] = 1;
    factor_.solve(row_);
    std::fill_n(column(q), stride_, 0.0);
    add_rows(column(q), n_rows_, columns_.by_atom, n_rows_, S_, row_);
    for (Index p = 0; p < size; ++p) {
      column(q)[Z_[p]] = p == q ? 1 : 0;
      column(q)[n_rows_ + p] = -row_[p];
    }
  }
  work_ += static_cast<double>((n_rows_ + size) * size * size);
  tableau_is_current_ = true;
  return true;
}

bool Simplex::settle() {
  target_ = x_;
  return factorize();
}

void Simplex::correct_signs() {
  for (Index i = 0; i < n_rows_ + k(); ++i)
    if (values_[i] * costs_[i] < 0) costs_[i] = -costs_[i];
  compute_prices();
}

/// a_S = B⁻¹ x_Z with one correction by the residual, e = x − A_S a_S.
void Simplex::compute_values() {
  const Index size = k();
  weights_.assign(size, 0.0);
  std::ranges::copy(target_, values_.begin());
  for (int round = 0; round < 2 && size > 0; ++round) {
    row_.resize(size);
    for (Index q = 0; q < size; ++q) row_[q] = values_[Z_[q]];
    factor_.solve(row_);
    for (Index p = 0; p < size; ++p) weights_[p] -= row_[p];
    std::ranges::copy(target_, values_.begin());
    add_rows(values_.data(), n_rows_, columns_.by_atom, n_rows_, S_, weights_);
  }
  for (Index p = 0; p < size; ++p) values_[n_rows_ + p] = -weights_[p];
  for (const int i : Z_) values_[i] = 0;
  work_ += 2 * static_cast<double>((n_rows_ + size) * size);
}

/// y from the signs of the values: Bᵀ y_Z = price · sign a_S − A[¬Z,S]ᵀ y, corrected once by what is left of it.
void Simplex::compute_prices() {
  const Index size = k();
  std::copy_n(costs_.begin(), n_rows_, y_.begin());  // 0 on Z
  for (int round = 0; round < 2 && size > 0; ++round) {
    row_.resize(size);
    for (Index p = 0; p < size; ++p) row_[p] = costs_[n_rows_ + p] - dot(atom(S_[p]), y_.data(), n_rows_);
    factor_.solve_transposed(row_);
    for (Index q = 0; q < size; ++q) y_[Z_[q]] += row_[q];
  }
  std::ranges::fill(y_priced_, 0.0);
  std::ranges::fill(g_, 0.0F);
  stale_score_ = std::numeric_limits<double>::infinity();
  work_ += 2 * static_cast<double>((n_rows_ + size) * size);
}

}  // namespace foldout::l1
