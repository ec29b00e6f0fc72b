// SPDX-License-Identifier: Apache-2.0
#include "l1/simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "l1/kernels.h"
#include "linalg/add_rows.h"

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

void Simplex::watch_progress(double decrease) {
  zero_steps_ = decrease <= 1e-14 ? zero_steps_ + 1 : 0;
  if (zero_steps_ > kZeroSteps) perturb();
}

void Simplex::perturb() {
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

}  // namespace foldout::l1
