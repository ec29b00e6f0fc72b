// SPDX-License-Identifier: Apache-2.0
// What to bring into the basis: the error on a row of Z with |y| > 1, or an atom with |g| > price.
#include <cmath>

#include "dictionary/l1_kernels.h"
#include "dictionary/l1_simplex.h"

namespace foldout::l1 {
namespace {

// A row's gain is known per length of its step in the coefficients, an atom's only per unit of its own coefficient,
// which moves the others too: this stands for their share. It decides the number of pivots (docs/l1_solver.md).
constexpr double kAtomShare = 0.05;

}  // namespace

/// The row of Z with the largest (|y_q| − 1)² / ‖B⁻¹[:,q]‖², each coefficient measured by its atom's norm.
Simplex::Entering Simplex::best_row(double& score) {
  Entering best;
  for (Index q = 0; q < k(); ++q) {
    const double price = y_[Z_[q]];
    const double excess = std::abs(price) - 1;
    if (excess <= 1e-10) continue;
    const double* inverse = column(q) + n_rows_;
    const double length = weighted_square(inverse, norms_.data(), padded(k()));
    work_ += static_cast<double>(k());
    if (excess * excess > score * length) {
      score = excess * excess / length;
      best = {.place = static_cast<int>(q), .sign = price > 0 ? 1.0 : -1.0};
    }
  }
  return best;
}

/// g = Aᵀ y, from what it was and the rows on which y has changed.
void Simplex::update_atom_prices() {
  rows_.resize(n_rows_);
  weights_.resize(n_rows_);
  std::size_t changed = 0;
  for (Index i = 0; i < n_rows_; ++i) {
    rows_[changed] = static_cast<int>(i);
    weights_[changed] = y_[i] - y_priced_[i];
    changed += y_[i] != y_priced_[i] ? 1 : 0;
  }
  rows_.resize(changed);
  weights_.resize(changed);
  add_rows(g_.data(), columns_.count, columns_.by_row, columns_.row_stride, rows_, weights_);
  work_ += static_cast<double>(columns_.count) * static_cast<double>(rows_.size());
  y_priced_ = y_;
  if (columns_.barred >= 0) g_[columns_.barred] = 0;
}

Simplex::Entering Simplex::choose() {
  double score = 0;
  const Entering row = best_row(score);
  // Atoms are priced only where the best of the last pricing might win.
  if (row.place >= 0 && score >= kAtomShare * stale_excess_ * stale_excess_) return row;
  update_atom_prices();
  const Largest atom = largest_excess(g_, price_ + tolerance_, columns_.inverse_norms.first(g_.size()));
  stale_excess_ = atom.value;
  if (atom.at < 0 || (row.place >= 0 && score >= kAtomShare * atom.value * atom.value)) return row;
  return {.atom = static_cast<int>(atom.at), .sign = g_[atom.at] > 0 ? 1.0 : -1.0};
}

}  // namespace foldout::l1
