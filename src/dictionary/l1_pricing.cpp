// SPDX-License-Identifier: Apache-2.0
// What to bring into the basis: the error on a row of Z with |y| > 1, or an atom with |g| > price. Both are judged by
// what they gain per length of their step in the coefficients, each coefficient measured by its atom's norm.
#include <algorithm>
#include <cmath>

#include "dictionary/l1_kernels.h"
#include "dictionary/l1_simplex.h"

namespace foldout::l1 {
namespace {

constexpr double kRowTolerance = 1e-10;
constexpr double kPromising = 0.6;    // of the largest excess: atoms whose step is measured
constexpr std::size_t kMeasured = 8;  // at most
constexpr Index kBlock = 2 * kLanes;  // atoms of which one is looked at

}  // namespace

/// The row of Z with the largest (|y_q| − 1)² / ‖B⁻¹[:,q]‖².
Simplex::Entering Simplex::best_row(double& score) {
  Entering best;
  for (Index q = 0; q < k(); ++q) {
    const double price = y_[Z_[q]];
    const double excess = std::abs(price) - 1;
    if (excess <= kRowTolerance) continue;
    const double length = weighted_square(column(q) + n_rows_, norms_.data(), padded(k()));
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
  work_ += static_cast<double>(columns_.count) * static_cast<double>(changed);
  y_priced_ = y_;
  if (columns_.barred >= 0) g_[columns_.barred] = 0;
}

/// The atoms whose excess (|g_j| − price) / ‖d_j‖ is near the largest: of each block of atoms its first.
void Simplex::find_promising() {
  const auto n = static_cast<Index>(g_.size());
  const double* weight = columns_.inverse_norms.data();
  const double price = price_ + tolerance_;
  excess_.resize((n + kBlock - 1) / kBlock);
  largest_excess(excess_.data(), g_, price, weight);
  promising_.clear();
  const double most = excess_.empty() ? 0 : *std::ranges::max_element(excess_);
  if (!(most > 0)) return;
  for (Index b = 0; b < static_cast<Index>(excess_.size()); ++b) {
    if (excess_[b] < kPromising * most) continue;
    Index j = b * kBlock;
    while (j + 1 < n && (std::abs(g_[j]) - price) * weight[j] != excess_[b]) ++j;
    promising_.push_back({excess_[b], static_cast<int>(j)});
  }
  if (promising_.size() <= kMeasured) return;
  std::ranges::nth_element(promising_, promising_.begin() + kMeasured,
                           [](const Promise& a, const Promise& b) { return a.excess > b.excess; });
  promising_.resize(kMeasured);
}

/// The atom with the largest excess² / (1 + ‖B⁻¹ A[Z,j]‖²).
Simplex::Entering Simplex::best_atom(double& score) {
  Entering best;
  find_promising();
  for (const auto& [excess, j] : promising_) {
    weights_.resize(k());
    for (Index q = 0; q < k(); ++q) weights_[q] = atom(j)[Z_[q]];
    row_.assign(padded(k()), 0.0);
    add_rows(row_.data(), padded(k()), tableau_.data() + n_rows_, stride_, weights_);
    const double norm = columns_.inverse_norms[j];
    const double length = 1 + weighted_square(row_.data(), norms_.data(), padded(k())) * norm * norm;
    work_ += static_cast<double>(k() * k());
    if (excess * excess > score * length) {
      score = excess * excess / length;
      best = {.atom = j, .sign = g_[j] > 0 ? 1.0 : -1.0};
    }
  }
  return best;
}

Simplex::Entering Simplex::choose() {
  double row_score = 0, atom_score = 0;
  const Entering row = best_row(row_score);
  // Atoms are priced only where the best of the last pricing might win.
  if (row.place >= 0 && row_score >= stale_score_) return row;
  update_atom_prices();
  const Entering atom = best_atom(atom_score);
  stale_score_ = atom_score;
  return row_score >= atom_score ? row : atom;
}

}  // namespace foldout::l1
