// SPDX-License-Identifier: Apache-2.0
#include "l1/simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "l1/kernels.h"
#include "linalg/loops.h"

namespace foldout::l1 {
namespace {

constexpr double kFloatMargin = 1e-6;  // times the root of the rows: beyond the rounding of g in float32
constexpr double kCloseLook = 10;      // times that margin: prices that float32 cannot tell from zero
constexpr Index kZeroSteps = 8;        // that are taken before values are moved off zero
constexpr double kShakeGrowth = 3;
constexpr double kRestartGrowth = 10;
constexpr double kFullness = 4;       // how much more than (6) says an atom is worth when Z has all rows
constexpr float kPromising = 0.6F;    // of the largest excess: atoms whose step is measured
constexpr std::size_t kMeasured = 8;  // at most
constexpr Index kBlock = 2 * kLanes;  // atoms of which the best is examined

/// What depends on the precision of the tableau.
template <typename Real>
struct Precision {
  static constexpr double kOptimal = 1e-10;     // of the price: by how much an error or an atom may miss it
  static constexpr double kNegligible = 1e-9;   // of the largest product: too small a pivot
  static constexpr double kDrift = 1e-8;        // of slopes that are computed in two ways: time to factorise anew
  static constexpr double kFirstShake = 1e-10;  // of the largest entry of x
  static constexpr Index kRefreshEvery = 400;   // pivots
};
template <>
struct Precision<float> {
  static constexpr double kOptimal = 1e-5;
  static constexpr double kNegligible = 1e-5;
  static constexpr double kDrift = 1e-3;
  static constexpr double kFirstShake = 1e-7;
  static constexpr Index kRefreshEvery = 1000;
};

/// A number in [0, 1) that depends on its argument only.
double hashed(unsigned n) {
  n = (n ^ 61U) ^ (n >> 16U);
  n *= 9U;
  n ^= n >> 4U;
  n *= 0x27d4eb2dU;
  n ^= n >> 15U;
  return n * 0x1p-32;
}

}  // namespace

template <typename Real>
void Simplex<Real>::start(const Columns& columns, std::span<const double> x, double price) {
  pivots_ = 0;
  work_ = 0;
  draws_ = 0;
  shake_ = Precision<Real>::kFirstShake;
  begin(columns, x, price);
}

template <typename Real>
void Simplex<Real>::restart() {
  shake_ *= kRestartGrowth;
  const std::vector<double> x = x_;
  begin(columns_, x, price_);
  perturb();
}

/// a = 0, e = x; an error of zero gets some sign.
template <typename Real>
void Simplex<Real>::begin(const Columns& columns, std::span<const double> x, double price) {
  columns_ = columns;
  n_rows_ = static_cast<Index>(x.size());
  price_ = price;
  x_.assign(x.begin(), x.end());
  target_ = x_;
  S_.clear();
  Z_.clear();
  for (auto* values : {&values_, &costs_, &direction_}) values->clear();
  norms_.clear();
  stride_ = 0;
  reserve(0);
  tableau_is_current_ = true;
  place_of_row_.assign(n_rows_, -1);
  position_of_atom_.assign(columns.count, -1);
  std::ranges::copy(x_, values_.begin());
  bool zeros = false;
  for (Index i = 0; i < n_rows_; ++i) {
    zeros |= std::abs(x_[i]) <= 1e-13;
    costs_[i] = x_[i] != 0 ? std::copysign(1.0, x_[i]) : (hashed(static_cast<unsigned>(i)) < 0.5 ? -1.0 : 1.0);
  }
  margin_ = static_cast<float>(kFloatMargin * std::sqrt(static_cast<double>(n_rows_)));
  closely_ = false;
  rounding_ = 2e-16 * std::sqrt(static_cast<double>(n_rows_)) * columns.largest_norm;
  y_.assign(costs_.begin(), costs_.begin() + n_rows_);
  y_priced_.assign(n_rows_, 0.0);
  g_.assign(columns.count, 0.0F);
  limit_.resize(columns.count);
  stale_score_ = std::numeric_limits<double>::infinity();
  since_refresh_ = zero_steps_ = 0;
  lost_ = 0;
  set_price(price);
  if (zeros) perturb();
}

template <typename Real>
template <typename Other>
bool Simplex<Real>::move_to(const Simplex<Other>& other) {
  reserve(other.k());
  for (Index p = 0; p < other.k(); ++p) {
    Z_.push_back(other.Z_[p]);
    place_of_row_[Z_.back()] = static_cast<int>(p);
    S_.push_back(other.S_[p]);
    seat(S_.back(), p);
  }
  std::copy_n(other.costs_.begin(), n_rows_ + k(), costs_.begin());
  target_ = x_;
  if (!factorize()) {
    const std::vector<double> x = x_;
    begin(columns_, x, price_);
    return false;
  }
  bool zeros = false;
  for (Index i = 0; i < n_rows_ + k(); ++i) {
    if (std::abs(values_[i]) > Precision<Real>::kFirstShake)
      costs_[i] = std::copysign(costs_[i], values_[i]);
    else
      zeros |= costs_[i] != 0;
  }
  compute_prices();
  if (zeros) perturb();
  return true;
}

template <typename Real>
void Simplex<Real>::extend(const Columns& columns) {
  columns_ = columns;
  position_of_atom_.resize(columns.count, -1);
  const auto old = static_cast<Index>(g_.size());
  g_.resize(columns.count);
  limit_.resize(columns.count);
  for (Index j = old; j < columns.count; ++j) {
    g_[j] = static_cast<float>(dot(atom(j), y_priced_.data(), n_rows_) * columns_.inverse_norms[j]);
    set_limit(j);
  }
  stale_score_ = std::numeric_limits<double>::infinity();
}

template <typename Real>
void Simplex<Real>::set_price(double price) {
  for (Index p = 0; p < k(); ++p) costs_[n_rows_ + p] = std::copysign(price, costs_[n_rows_ + p]);
  price_ = price;
  tolerance_ = Precision<Real>::kOptimal * price + rounding_;
  stale_score_ = std::numeric_limits<double>::infinity();
  if (price < kCloseLook * static_cast<double>(margin_) * columns_.largest_norm) closely_ = true;
  for (Index j = 0; j < columns_.count; ++j) set_limit(j);
  tableau_is_current_ = k() == 0;
}

template <typename Real>
Outcome Simplex<Real>::run(Index limit) {
  if (!tableau_is_current_) {
    if (nothing_to_bring_in()) return Outcome::kOptimal;
    if (!refresh()) return Outcome::kBroken;
  }
  while (pivots_ < limit) {
    const Entering entering = choose();
    if (entering.atom < 0 && entering.place < 0) return Outcome::kOptimal;
    const Outcome outcome = pivot(entering);
    if (outcome != Outcome::kOptimal) return outcome;
  }
  return Outcome::kLimit;
}

/// One exchange of basic values; Precision<Real>::kOptimal: made, or everything is fresh for another try.
template <typename Real>
Outcome Simplex<Real>::pivot(const Entering& entering) {
  find_direction(entering);
  const Index n = padded(n_rows_ + k());
  const double own = entering.atom >= 0 ? price_ : 1.0;
  const double known = own - std::abs(entering.price);
  const double slope = own + dot(costs_.data(), direction_.data(), n);
  const double most = largest_product(costs_.data(), direction_.data(), n);
  work_ += 2 * static_cast<double>(n);
  Step step;
  if (std::abs(slope - known) <= Precision<Real>::kDrift * (own + most))
    step = long_step(values_.data(), costs_.data(), direction_.data(), n, known, Precision<Real>::kNegligible * most,
                     step_);
  if (step.leaving < 0) {
    if (++lost_ > 3 || !refresh()) return Outcome::kBroken;
    return Outcome::kOptimal;
  }
  lost_ = 0;
  flip(std::span(step_.crossings).first(step.passed));
  move(values_.data(), step.length, direction_.data(), n);
  exchange(entering, step);
  ++pivots_;
  if (++since_refresh_ >= Precision<Real>::kRefreshEvery && !refresh()) return Outcome::kBroken;
  watch_progress(-step.length * known);
  return Outcome::kOptimal;
}

/// How the basic values move per unit of the entering one: sign · T[:,q], or sign · (T A[Z,j] − (A_j; 0)).
template <typename Real>
void Simplex<Real>::find_direction(const Entering& entering) {
  const Index n = padded(n_rows_ + k());
  if (entering.place >= 0) {
    scale(direction_.data(), entering.sign, column(entering.place), n);
    return;
  }
  const double* entries = atom(entering.atom);
  factors_.resize(k());
  for (Index q = 0; q < k(); ++q) factors_[q] = static_cast<Real>(entering.sign * entries[Z_[q]]);
  products_.assign(n, 0);
  for (Index i = 0; i < n_rows_; ++i) products_[i] = static_cast<Real>(-entering.sign * entries[i]);
  add_rows(products_.data(), n, tableau_.data(), stride_, std::span(all_).first(k()), factors_);
  scale(direction_.data(), 1, products_.data(), n);
  for (const int i : Z_) direction_[i] = 0;
  work_ += static_cast<double>(n) * static_cast<double>(k());
}

/// The values that the step passes change sign, and the prices on Z with them.
template <typename Real>
void Simplex<Real>::flip(std::span<const Crossing> passed) {
  for (const Crossing& c : passed) {
    costs_[c.at] = -costs_[c.at];
    if (c.at < n_rows_) y_[c.at] = costs_[c.at];
  }
  for (Index q = 0; q < k(); ++q) {
    double change = 0;
    for (const Crossing& c : passed) change += 2 * costs_[c.at] * column(q)[c.at];
    y_[Z_[q]] -= change;
  }
  work_ += static_cast<double>(k()) * static_cast<double>(passed.size());
}

template <typename Real>
void Simplex<Real>::watch_progress(double decrease) {
  zero_steps_ = decrease <= 1e-14 ? zero_steps_ + 1 : 0;
  if (zero_steps_ > kZeroSteps) perturb();
}

template <typename Real>
void Simplex<Real>::perturb() {
  zero_steps_ = 0;
  for (Index i = 0; i < n_rows_ + k(); ++i) {
    if (i < n_rows_ && place_of_row_[i] >= 0) continue;
    const double size = i < n_rows_ ? shake_ : shake_ / norms_[i - n_rows_];
    if (std::abs(values_[i]) > size) continue;
    const double old = values_[i];
    values_[i] = std::copysign(size * (1 + hashed(++draws_)), costs_[i]);
    if (i < n_rows_)
      target_[i] += values_[i] - old;
    else
      move(target_.data(), values_[i] - old, atom(S_[i - n_rows_]), n_rows_);
  }
  shake_ *= kShakeGrowth;
}

// ---------------------------------------------------------------------------------------------------------------------
// What to bring into the basis: the error on a row of Z with |y| > 1, or an atom with |g| > price. Both are judged by
// what they gain per length of their step in the coefficients, each coefficient measured by its atom's norm.

/// The row of Z with the largest (|y_q| − 1)² / ‖B⁻¹[:,q]‖².
template <typename Real>
typename Simplex<Real>::Entering Simplex<Real>::best_row(double& score) {
  rows_.resize(k());
  std::size_t count = 0;  // of rows that gain; collected without a branch, which would be mispredicted
  for (Index q = 0; q < k(); ++q) {
    rows_[count] = static_cast<int>(q);
    count += std::abs(y_[Z_[q]]) - 1 > Precision<Real>::kOptimal ? 1 : 0;
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
template <typename Real>
void Simplex<Real>::set_limit(Index j) {
  const bool usable = position_of_atom_[j] < 0 && j != columns_.barred;
  limit_[j] = usable ? static_cast<float>(price_ * columns_.inverse_norms[j]) + margin_
                     : std::numeric_limits<float>::infinity();
}

/// g = Aᵀ y, from what it was and the rows on which y has changed.
template <typename Real>
void Simplex<Real>::update_atom_prices() {
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

template <typename Real>
std::span<const float> Simplex<Real>::unit_prices() {
  update_atom_prices();
  return g_;
}

/// The atoms whose excess (|g_j| − price) / ‖d_j‖ is near the largest: of each block of atoms its first.
template <typename Real>
void Simplex<Real>::find_promising() {
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

/// Whether the vertex is optimal: without the tableau, which only ranks what could be brought in.
template <typename Real>
bool Simplex<Real>::nothing_to_bring_in() {
  for (const int i : Z_)
    if (std::abs(y_[i]) - 1 > Precision<Real>::kOptimal) return false;
  look_for_atoms();
  return std::ranges::none_of(promising_, [&](const Promise& promise) {
    return std::abs(dot(atom(promise.at), y_.data(), n_rows_)) > price_ + tolerance_;
  });
}

template <typename Real>
void Simplex<Real>::look_for_atoms() {
  if (closely_) {
    find_promising_closely();
  } else {
    update_atom_prices();
    find_promising();
  }
}

template <typename Real>
void Simplex<Real>::keep_most_promising() {
  if (promising_.size() <= kMeasured) return;
  std::ranges::nth_element(promising_, promising_.begin() + kMeasured,
                           [](const Promise& a, const Promise& b) { return a.excess > b.excess; });
  promising_.resize(kMeasured);
}

/// The same from prices in full precision, of all atoms.
template <typename Real>
void Simplex<Real>::find_promising_closely() {
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
template <typename Real>
typename Simplex<Real>::Entering Simplex<Real>::best_atom(double& score) {
  look_for_atoms();
  Entering best;
  for (const Promise& promise : promising_) {
    const int j = promise.at;
    const double price = dot(atom(j), y_.data(), n_rows_), inverse_norm = columns_.inverse_norms[j];
    const double excess = (std::abs(price) - price_ - tolerance_) * inverse_norm;
    if (!(excess > 0)) continue;
    factors_.resize(k());
    for (Index q = 0; q < k(); ++q) factors_[q] = static_cast<Real>(atom(j)[Z_[q]]);
    products_.assign(padded(k()), 0);
    add_rows(products_.data(), padded(k()), tableau_.data() + n_rows_, stride_, std::span(all_).first(k()), factors_);
    const double length =
        1 + weighted_square(products_.data(), norms_.data(), padded(k())) * inverse_norm * inverse_norm;
    work_ += static_cast<double>(k() * k() + n_rows_);
    if (excess * excess > score * length) {
      score = excess * excess / length;
      best = {.atom = j, .sign = price > 0 ? 1.0 : -1.0, .price = price};
    }
  }
  return best;
}

template <typename Real>
typename Simplex<Real>::Entering Simplex<Real>::choose() {
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

// ---------------------------------------------------------------------------------------------------------------------
// One value enters the basis and one leaves it. With the direction d of the entering value, the leaving row t of the
// tableau and the pivot d_l, T becomes T − d t / d_l, the same in all four cases; they differ in what enters and
// leaves:
//   an atom enters, an error leaves    a column and a row more
//   an atom enters, an atom leaves     the leaving atom's row becomes the entering one's
//   an error enters, an error leaves   the entering error's column becomes the leaving one's
//   an error enters, an atom leaves    a column and a row less

template <typename Real>
void Simplex<Real>::exchange(const Entering& entering, const Step& step) {
  const bool atom_enters = entering.atom >= 0, error_leaves = step.leaving < n_rows_;
  const double pivot = direction_[step.leaving];
  row_.resize(k());
  for (Index q = 0; q < k(); ++q) row_[q] = column(q)[step.leaving];
  move_prices(step, pivot);
  if (atom_enters && error_leaves) add_place(step.leaving, entering);
  if (!atom_enters) row_[entering.place] = 0;  // this column is replaced or removed

  const Index n = padded(n_rows_ + k());
  scale(direction_.data(), 1 / pivot, direction_.data(), n);
  products_.assign(direction_.begin(), direction_.begin() + n);
  factors_.assign(row_.begin(), row_.end());
  subtract_outer(tableau_.data(), stride_, std::span<const Real>(products_), std::span<const Real>(factors_));
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
template <typename Real>
void Simplex<Real>::move_prices(const Step& step, double pivot) {
  const double change = -step.slope / pivot;
  for (Index q = 0; q < k(); ++q) y_[Z_[q]] -= change * row_[q];
  if (step.leaving < n_rows_) y_[step.leaving] = costs_[step.leaving] + change;
  costs_[step.leaving] = values_[step.leaving] = 0;
}

/// Room for one column and one row; the direction gets an entry for the entering atom itself.
template <typename Real>
void Simplex<Real>::add_place(int row, const Entering& entering) {
  const Index size = k();
  reserve(size + 1);
  std::fill(direction_.begin() + n_rows_ + size, direction_.end(), 0.0);
  direction_[n_rows_ + size] = entering.sign;
  place_of_row_[row] = static_cast<int>(size);
  Z_.push_back(row);
  S_.push_back(entering.atom);
  seat(entering.atom, size);
}

template <typename Real>
void Simplex<Real>::replace_atom(Index position, const Entering& entering, double pivot) {
  for (Index q = 0; q < k(); ++q) column(q)[n_rows_ + position] = static_cast<Real>(-entering.sign * row_[q] / pivot);
  unseat(S_[position]);
  S_[position] = entering.atom;
  seat(entering.atom, position);
}

template <typename Real>
void Simplex<Real>::replace_row(Index place, int row) {
  std::copy_n(direction_.begin(), padded(n_rows_ + k()), column(place));
  Z_[place] = row;
  place_of_row_[row] = static_cast<int>(place);
}

/// The last place and the last position move into the gaps.
template <typename Real>
void Simplex<Real>::remove_place(Index place, Index position) {
  const Index last = k() - 1;
  if (place != last) {
    std::copy_n(column(last), padded(n_rows_ + k()), column(place));
    Z_[place] = Z_[last];
    place_of_row_[Z_[place]] = static_cast<int>(place);
  }
  const auto close_gap = [=](auto* coefficients) {
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

template <typename Real>
void Simplex<Real>::seat(int atom, Index position) {
  position_of_atom_[atom] = static_cast<int>(position);
  norms_[position] = static_cast<Real>(1 / columns_.inverse_norms[atom]);
  set_limit(atom);
}

template <typename Real>
void Simplex<Real>::unseat(int atom) {
  position_of_atom_[atom] = -1;
  set_limit(atom);
}

// ---------------------------------------------------------------------------------------------------------------------
// The values, the prices and the tableau of a basis from a factorisation of B = A[Z,S].

/// Room for k columns of n_rows + k values, the ones in use moved along. What lies behind the values in use is zero, in
/// every column, so that loops may run over whole blocks.
template <typename Real>
void Simplex<Real>::reserve(Index k_needed) {
  if (stride_ > n_rows_ + k_needed) return;
  const Index room = std::max<Index>(48, 2 * k_needed);
  const Index stride = padded(n_rows_ + room + 1);
  const Index used = stride_ == 0 ? 0 : k(), old = stride_;
  tableau_.resize(std::max(tableau_.size(), static_cast<std::size_t>(stride * (stride - n_rows_) + kLanes)));
  for (Index q = used - 1; q >= 0; --q) {
    std::copy_backward(column(q), column(q) + old, tableau_.data() + q * stride + old);
    std::fill_n(tableau_.data() + q * stride + old, stride - old, Real{0});
  }
  stride_ = stride;
  for (auto* values : {&values_, &costs_, &direction_}) values->resize(stride, 0.0);
  norms_.resize(padded(stride - n_rows_), Real{0});
  all_.resize(stride - n_rows_);
  std::iota(all_.begin(), all_.end(), 0);
}

/// Factorises B and computes values and prices from it; the tableau is left for refresh().
template <typename Real>
bool Simplex<Real>::factorize() {
  const Index size = k();
  const std::span<double> basis = factor_.prepare(size);
  for (Index p = 0; p < size; ++p)
    for (Index q = 0; q < size; ++q) basis[p * size + q] = atom(S_[p])[Z_[q]];
  work_ += std::floor(std::pow(size, 3) / 3);  // a whole number, as all counts are
  tableau_is_current_ = size == 0;
  since_refresh_ = 0;
  if (!factor_.factorize()) return false;
  compute_values();
  compute_prices();
  return true;
}

template <typename Real>
bool Simplex<Real>::refresh() {
  if (!factorize()) return false;
  const Index size = k();
  for (Index q = 0; q < size; ++q) {
    row_.assign(size, 0.0);
    row_[q] = 1;
    factor_.solve(row_);
    weights_.assign(n_rows_, 0.0);
    add_rows(weights_.data(), n_rows_, columns_.by_atom, n_rows_, S_, row_);
    std::ranges::copy(weights_, column(q));
    std::fill_n(column(q) + n_rows_, stride_ - n_rows_, Real{0});
    for (Index p = 0; p < size; ++p) {
      column(q)[Z_[p]] = p == q ? 1 : 0;
      column(q)[n_rows_ + p] = static_cast<Real>(-row_[p]);
    }
  }
  work_ += static_cast<double>((n_rows_ + size) * size * size);
  tableau_is_current_ = true;
  return true;
}

template <typename Real>
bool Simplex<Real>::settle() {
  target_ = x_;
  return factorize();
}

template <typename Real>
void Simplex<Real>::correct_signs() {
  for (Index i = 0; i < n_rows_ + k(); ++i)
    if (values_[i] * costs_[i] < 0) costs_[i] = -costs_[i];
  compute_prices();
}

/// a_S = B⁻¹ x_Z with one correction by the residual, e = x − A_S a_S.
template <typename Real>
void Simplex<Real>::compute_values() {
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
template <typename Real>
void Simplex<Real>::compute_prices() {
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

template class Simplex<float>;
template class Simplex<double>;
template bool Simplex<double>::move_to(const Simplex<float>& other);

}  // namespace foldout::l1
