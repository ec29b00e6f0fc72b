// SPDX-License-Identifier: Apache-2.0
// What to bring into the basis: the error on a row of Z with |y| > 1, or an atom with |g| > price. Both are judged by
// what they gain per length of their step in the coefficients, each coefficient measured by its atom's norm.
#include <algorithm>
#include <cmath>
#include <limits>

#include "l1/kernels.h"
#include "l1/simplex.h"
#include "linalg/add_rows.h"

namespace foldout::l1 {
namespace {

constexpr double kRowTolerance = 1e-10;
constexpr double kFullness = 4;       // how much more than (6) says an atom is worth when Z has all rows
constexpr float kPromising = 0.6F;    // of the largest excess: atoms whose step is measured
constexpr std::size_t kMeasured = 8;  // at most
constexpr Index kBlock = 2 * kLanes;  // atoms of which one is looked at

}  // namespace

/// The row of Z with the largest (|y_q| − 1)² / ‖B⁻¹[:,q]‖².
Simplex::Entering Simplex::best_row(double& score) {
  rows_.resize(k());
  std::size_t count = 0;  // of rows that gain; collected without a branch, which no processor could foresee
  for (Index q = 0; q < k(); ++q) {
    rows_[count] = static_cast<int>(q);
    count += std::abs(y_[Z_[q]]) - 1 > kRowTolerance ? 1 : 0;
  }
  int best = -1;
  for (std::size_t c = 0; c < count; ++c) {
    const int q = rows_[c];
    const double excess = std::abs(y_[Z_[q]]) - 1;
    const double gain = excess * excess / weighted_square(column(q) + n_rows_, norms_.data(), padded(k()));
    best = gain > score ? q : best;
    score = gain > score ? gain : score;
  }
  work_ += static_cast<double>(count) * static_cast<double>(k());
  if (best < 0) return {};
  const double price = y_[Z_[best]];
  return {.place = best, .sign = price > 0 ? 1.0 : -1.0, .price = price};
}

/// What |g_j| of a unit atom may reach before it is worth a closer look.
void Simplex::set_limit(Index j) {
  const bool usable = position_of_atom_[j] < 0 && j != columns_.barred;
  limit_[j] = usable ? static_cast<float>(price_ * columns_.inverse_norms[j]) + margin_
                     : std::numeric_limits<float>::infinity();
}

/// g = Aᵀ y, from what it was and the rows on which y has changed.
void Simplex::update_atom_prices() {
  rows_.resize(n_rows_);
  changes_.resize(n_rows_);
  std::size_t changed = 0;
  for (Index i = 0; i < n_rows_; ++i) {
    rows_[changed] = static_cast<int>(i);
    changes_[changed] = static_cast<float>(y_[i] - y_priced_[i]);
    changed += y_[i] != y_priced_[i] ? 1 : 0;
  }
  rows_.resize(changed);
  changes_.resize(changed);
  add_rows(g_.data(), columns_.count, columns_.by_row, columns_.row_stride, rows_, changes_);
  work_ += static_cast<double>(columns_.count) * static_cast<double>(changed);
  y_priced_ = y_;
}

/// The atoms whose excess (|g_j| − price) / ‖d_j‖ is near the largest: of each block of atoms its first.
void Simplex::find_promising() {
  const auto n = static_cast<Index>(g_.size());
  excess_.resize((n + kBlock - 1) / kBlock);
  largest_excess(excess_.data(), g_, limit_.data());
  promising_.clear();
  const float most = excess_.empty() ? 0 : *std::ranges::max_element(excess_);
  if (!(most > 0)) return;
  promising_.resize(excess_.size());
  std::size_t count = 0;
  for (std::size_t b = 0; b < excess_.size(); ++b) {
    promising_[count] = {excess_[b], static_cast<int>(b)};
    count += excess_[b] >= kPromising * most ? 1 : 0;
  }
  promising_.resize(count);
  keep_most_promising();
  for (auto& [excess, at] : promising_) {  // a block's number becomes that of its atom
    Index j = at * kBlock;
    while (j + 1 < n && std::abs(g_[j]) - limit_[j] != static_cast<float>(excess)) ++j;
    at = static_cast<int>(j);
  }
}

void Simplex::keep_most_promising() {
  if (promising_.size() <= kMeasured) return;
  std::ranges::nth_element(promising_, promising_.begin() + kMeasured,
                           [](const Promise& a, const Promise& b) { return a.excess > b.excess; });
  promising_.resize(kMeasured);
}

/// The same from prices in full precision, of all atoms.
void Simplex::find_promising_closely() {
  exact_.resize(columns_.count);
  dot_rows(exact_.data(), columns_.by_atom, columns_.count, y_.data(), n_rows_);
  work_ += static_cast<double>(columns_.count * n_rows_);
  promising_.clear();
  double most = 0;
  for (Index j = 0; j < columns_.count; ++j) {
    if (std::isinf(limit_[j])) continue;
    const double excess = (std::abs(exact_[j]) - price_ - tolerance_) * columns_.inverse_norms[j];
    if (!(excess > 0) || excess < kPromising * most) continue;
    most = std::max(most, excess);
    promising_.push_back({excess, static_cast<int>(j)});
  }
  std::erase_if(promising_, [&](const Promise& p) { return p.excess < kPromising * most; });
  keep_most_promising();
}

/// The atom with the largest excess² / (1 + ‖B⁻¹ A[Z,j]‖²).
Simplex::Entering Simplex::best_atom(double& score) {
  if (closely_) {
    find_promising_closely();
  } else {
    update_atom_prices();
    find_promising();
  }
  Entering best;
  for (const Promise& promise : promising_) {
    const int j = promise.at;
    const double price = dot(atom(j), y_.data(), n_rows_), inverse_norm = columns_.inverse_norms[j];
    const double excess = (std::abs(price) - price_ - tolerance_) * inverse_norm;
    if (!(excess > 0)) continue;
    weights_.resize(k());
    for (Index q = 0; q < k(); ++q) weights_[q] = atom(j)[Z_[q]];
    row_.assign(padded(k()), 0.0);
    add_rows(row_.data(), padded(k()), tableau_.data() + n_rows_, stride_, weights_);
    const double length = 1 + weighted_square(row_.data(), norms_.data(), padded(k())) * inverse_norm * inverse_norm;
    work_ += static_cast<double>(k() * k() + n_rows_);
    if (excess * excess > score * length) {
      score = excess * excess / length;
      best = {.atom = j, .sign = price > 0 ? 1.0 : -1.0, .price = price};
    }
  }
  return best;
}

Simplex::Entering Simplex::choose() {
  double row_score = 0, atom_score = 0;
  const Entering row = best_row(row_score);
  // Atoms are priced only where the best of the last pricing might win.
  if (row.place >= 0 && row_score >= stale_score_) return row;
  const Entering atom = best_atom(atom_score);
  const double fullness = static_cast<double>(k()) / static_cast<double>(n_rows_);
  atom_score *= 1 + kFullness * fullness * fullness;
  stale_score_ = atom_score;
  return row_score >= atom_score ? row : atom;
}

}  // namespace foldout::l1
