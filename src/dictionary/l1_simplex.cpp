// SPDX-License-Identifier: Apache-2.0
#include "dictionary/l1_simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dictionary/l1_kernels.h"

namespace foldout::l1 {
namespace {

constexpr double kOptimal = 1e-10;     // of the price: by how much an atom may miss it
constexpr double kFloatMargin = 1e-6;  // times the root of the rows: beyond the rounding of g in float32
constexpr double kCloseLook = 10;      // times that margin: prices that float32 cannot tell from zero
constexpr double kNegligible = 1e-9;   // of the largest product: too small a pivot
constexpr double kDrift = 1e-8;        // of slopes that are computed in two ways: time to factorise anew
constexpr Index kRefreshEvery = 400;   // pivots
constexpr Index kZeroSteps = 8;        // that are taken before values are moved off zero
constexpr double kFirstShake = 1e-10;  // of the largest entry of x
constexpr double kShakeGrowth = 3;
constexpr double kRestartGrowth = 10;

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

void Simplex::start(const Columns& columns, std::span<const double> x, double price) {
  pivots_ = 0;
  work_ = 0;
  draws_ = 0;
  shake_ = kFirstShake;
  begin(columns, x, price);
}

void Simplex::restart() {
  shake_ *= kRestartGrowth;
  const std::vector<double> x = x_;
  begin(columns_, x, price_);
  perturb();
}

/// a = 0, e = x; an error of zero gets some sign.
void Simplex::begin(const Columns& columns, std::span<const double> x, double price) {
  columns_ = columns;
  n_rows_ = static_cast<Index>(x.size());
  price_ = price;
  x_.assign(x.begin(), x.end());
  target_ = x_;
  S_.clear();
  Z_.clear();
  for (auto* values : {&values_, &costs_, &direction_, &norms_}) values->clear();
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

void Simplex::extend(const Columns& columns) {
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

void Simplex::set_price(double price) {
  for (Index p = 0; p < k(); ++p) costs_[n_rows_ + p] = std::copysign(price, costs_[n_rows_ + p]);
  price_ = price;
  tolerance_ = kOptimal * price + rounding_;
  stale_score_ = std::numeric_limits<double>::infinity();
  if (price < kCloseLook * static_cast<double>(margin_) * columns_.largest_norm) closely_ = true;
  for (Index j = 0; j < columns_.count; ++j) set_limit(j);
  tableau_is_current_ = k() == 0;
}

double Simplex::error_norm() const {
  double sum = 0;
  for (Index i = 0; i < n_rows_; ++i) sum += std::abs(values_[i]);
  return sum;
}

Outcome Simplex::run(Index limit) {
  if (!tableau_is_current_ && !refresh()) return Outcome::kBroken;
  while (pivots_ < limit) {
    const Entering entering = choose();
    if (entering.atom < 0 && entering.place < 0) return Outcome::kOptimal;
    const Outcome outcome = pivot(entering);
    if (outcome != Outcome::kOptimal) return outcome;
  }
  return Outcome::kLimit;
}

/// One exchange of basic values; kOptimal: made, or everything is fresh for another try.
Outcome Simplex::pivot(const Entering& entering) {
  find_direction(entering);
  const Index n = padded(n_rows_ + k());
  const double own = entering.atom >= 0 ? price_ : 1.0;
  const double known = own - std::abs(entering.price);
  const double slope = own + dot(costs_.data(), direction_.data(), n);
  const double most = largest_product(costs_.data(), direction_.data(), n);
  work_ += 2 * static_cast<double>(n);
  Step step;
  if (std::abs(slope - known) <= kDrift * (own + most))
    step = long_step(values_.data(), costs_.data(), direction_.data(), n, known, kNegligible * most, step_);
  if (step.leaving < 0) {
    if (++lost_ > 3 || !refresh()) return Outcome::kBroken;
    return Outcome::kOptimal;
  }
  lost_ = 0;
  flip(std::span(step_.crossings).first(step.passed));
  move(values_.data(), step.length, direction_.data(), n);
  exchange(entering, step);
  ++pivots_;
  if (++since_refresh_ >= kRefreshEvery && !refresh()) return Outcome::kBroken;
  watch_progress(-step.length * known);
  return Outcome::kOptimal;
}

/// How the basic values move per unit of the entering one: sign · T[:,q], or sign · (T A[Z,j] − (A_j; 0)).
void Simplex::find_direction(const Entering& entering) {
  const Index n = padded(n_rows_ + k());
  if (entering.place >= 0) {
    scale(direction_.data(), entering.sign, column(entering.place), n);
    return;
  }
  const double* entries = atom(entering.atom);
  weights_.resize(k());
  for (Index q = 0; q < k(); ++q) weights_[q] = entering.sign * entries[Z_[q]];
  scale(direction_.data(), -entering.sign, entries, n_rows_);
  std::fill(direction_.begin() + n_rows_, direction_.begin() + n, 0.0);
  add_rows(direction_.data(), n, tableau_.data(), stride_, weights_);
  for (const int i : Z_) direction_[i] = 0;
  work_ += static_cast<double>(n) * static_cast<double>(k());
}

/// The values that the step passes change sign, and the prices on Z with them.
void Simplex::flip(std::span<const Crossing> passed) {
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

/// The leaving value's place in the basis goes to the entering one: T loses the outer product of the direction and the
/// leaving row, over the pivot; y moves along that row until the entering value costs nothing more.
void Simplex::exchange(const Entering& entering, const Step& step) {
  const bool atom_enters = entering.atom >= 0, error_leaves = step.leaving < n_rows_;
  const int leaving = step.leaving;
  const double pivot = direction_[leaving];
  const Index size = k();
  row_.resize(size);
  for (Index q = 0; q < size; ++q) row_[q] = column(q)[leaving];
  const double change = -step.slope / pivot;
  for (Index q = 0; q < size; ++q) y_[Z_[q]] -= change * row_[q];
  if (error_leaves) y_[leaving] = costs_[leaving] + change;
  costs_[leaving] = values_[leaving] = 0;

  if (atom_enters && error_leaves) add_place(leaving, entering.atom);
  const Index n = padded(n_rows_ + k());
  if (atom_enters && error_leaves) {
    std::fill(direction_.begin() + n_rows_ + size, direction_.begin() + n, 0.0);
    direction_[n_rows_ + size] = entering.sign;
  }
  scale(direction_.data(), 1 / pivot, direction_.data(), n);
  if (!atom_enters) row_[entering.place] = 0;  // its column is written below
  subtract_outer(tableau_.data(), stride_, std::span(direction_).first(n), std::span(row_).first(size));
  work_ += static_cast<double>(n) * static_cast<double>(size);

  if (atom_enters && error_leaves) {
    std::copy_n(direction_.begin(), n, column(size));
    std::fill(column(size) + n, column(size) + stride_, 0.0);
    values_[n_rows_ + size] = entering.sign * step.length;
    costs_[n_rows_ + size] = entering.sign * price_;
  } else if (atom_enters) {
    const int position = leaving - static_cast<int>(n_rows_);
    for (Index q = 0; q < size; ++q) column(q)[leaving] = -entering.sign * row_[q] / pivot;
    release(S_[position]);
    S_[position] = entering.atom;
    take(entering.atom, position);
    norms_[position] = 1 / columns_.inverse_norms[entering.atom];
    values_[leaving] = entering.sign * step.length;
    costs_[leaving] = entering.sign * price_;
  } else {
    const int row = Z_[entering.place];
    y_[row] = costs_[row] = entering.sign;
    values_[row] = entering.sign * step.length;
    place_of_row_[row] = -1;
    if (error_leaves) {
      std::copy_n(direction_.begin(), n, column(entering.place));
      Z_[entering.place] = leaving;
      place_of_row_[leaving] = entering.place;
    } else {
      remove_place(entering.place, leaving - static_cast<int>(n_rows_));
    }
  }
}

void Simplex::take(int atom, int position) {
  position_of_atom_[atom] = position;
  set_limit(atom);
}

void Simplex::release(int atom) {
  position_of_atom_[atom] = -1;
  set_limit(atom);
}

void Simplex::add_place(int row, int atom) {
  const Index size = k();
  reserve(size + 1);
  place_of_row_[row] = static_cast<int>(size);
  take(atom, static_cast<int>(size));
  Z_.push_back(row);
  S_.push_back(atom);
  norms_[size] = 1 / columns_.inverse_norms[atom];
}

/// The last place and the last position move into the gaps.
void Simplex::remove_place(int place, int position) {
  const Index last = k() - 1;
  if (place != last) {
    std::copy_n(column(last), padded(n_rows_ + k()), column(place));
    Z_[place] = Z_[last];
    place_of_row_[Z_[place]] = place;
  }
  for (Index q = 0; q < last; ++q) {
    double* coefficients = column(q) + n_rows_;
    coefficients[position] = coefficients[last];
    coefficients[last] = 0;
  }
  release(S_[position]);
  if (position != last) {
    S_[position] = S_[last];
    position_of_atom_[S_[position]] = position;
  }
  norms_[position] = std::exchange(norms_[last], 0.0);
  values_[n_rows_ + position] = std::exchange(values_[n_rows_ + last], 0.0);
  costs_[n_rows_ + position] = std::exchange(costs_[n_rows_ + last], 0.0);
  Z_.pop_back();
  S_.pop_back();
}

void Simplex::watch_progress(double decrease) {
  zero_steps_ = decrease <= 1e-14 ? zero_steps_ + 1 : 0;
  if (zero_steps_ > kZeroSteps) perturb();
}

void Simplex::perturb() {
  zero_steps_ = 0;
  for (Index i = 0; i < n_rows_ + k(); ++i) {
    if (i < n_rows_ && place_of_row_[i] >= 0) continue;
    const double scale = i < n_rows_ ? shake_ : shake_ / norms_[i - n_rows_];
    if (std::abs(values_[i]) > scale) continue;
    const double old = values_[i];
    values_[i] = std::copysign(scale * (1 + hashed(++draws_)), costs_[i]);
    if (i < n_rows_)
      target_[i] += values_[i] - old;
    else
      move(target_.data(), values_[i] - old, atom(S_[i - n_rows_]), n_rows_);
  }
  shake_ *= kShakeGrowth;
}

}  // namespace foldout::l1
