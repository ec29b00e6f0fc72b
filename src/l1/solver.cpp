// SPDX-License-Identifier: Apache-2.0
#include "l1/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "l1/kernels.h"
#include "linalg/loops.h"

namespace foldout::l1 {
namespace {

constexpr Index kWhole = 2000;         // dictionaries of so many atoms are priced whole
constexpr std::size_t kFirst = 128;    // atoms of the first working set at least, and no fewer than rows
constexpr std::size_t kMore = 32;      // atoms added a round at least, and no fewer than a quarter of the rows
constexpr std::size_t kReserve = 512;  // atoms that are priced between two pricings of all
constexpr double kRounding = 0x1p-53, kFloatRounding = 0x1p-24;
constexpr double kRoundings = 24;    // of a product with y, besides those that grow with the number of rows
constexpr double kFloatNorm = 1e12;  // norms up to that, and down to its inverse, leave room in float32
constexpr double kNear = 0.7;        // of the price: an atom that may violate it soon
constexpr double kOptimal = 1e-10;   // of the price: by how much an atom may miss it
constexpr int kAttempts = 8;         // vertices that are tried before a gap is accepted as it is
constexpr int kExhausted = 2;        // times that the pivots may run out
constexpr double kCertain = 1e-13;   // gaps of this size are rounding
constexpr double kFeasible = 1e-9;   // of ‖x‖₁: an error that counts as none
constexpr double kFirstPrice = 0.1;  // of an atom of typical norm, where errors are forbidden; then ever cheaper
constexpr double kPriceCut = 1e-2;
constexpr int kPriceCuts = 5;

double length(std::span<const double> y) { return std::sqrt(dot(y, y)); }

Index pivot_limit(Index n_rows, Index n_atoms) { return 2000 + 50 * (n_rows + std::min(n_atoms, n_rows)); }

}  // namespace

Atoms::Atoms(Matrix atoms) : rows(std::move(atoms)) {
  double sum = 0;
  for (Index j = 0; j < rows.rows(); ++j) {
    const double norm = rows.row(j).norm();
    inverse_norms.push_back(norm > 0 ? 1 / norm : 0);
    fit_floats &= norm == 0 || (norm > 1 / kFloatNorm && norm < kFloatNorm);
    first_entries.push_back(rows(j, 0));
    largest_norm = std::max(largest_norm, norm);
    sum += norm;
  }
  typical_norm = sum > 0 ? sum / static_cast<double>(rows.rows()) : 1;
  if (rows.rows() > kWhole) {
    if (!fit_floats) return;
    unit_floats.resize(rows.rows(), rows.cols());
    for (Index j = 0; j < rows.rows(); ++j) unit_floats.row(j) = (rows.row(j) * inverse_norms[j]).cast<float>();
    return;
  }
  by_row.resize(rows.cols(), rows.rows());
  for (Index j = 0; j < rows.rows(); ++j)
    for (Index i = 0; i < rows.cols(); ++i) by_row(i, j) = static_cast<float>(rows(j, i) * inverse_norms[j]);
}

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

void Solver::begin(const Atoms& atoms, std::span<const double> x, Index skip, double price) {
  atoms_ = &atoms;
  x_ = x;
  skip_ = skip;
  work_ = 0;
  limit_ = pivot_limit(atoms.rows.cols(), atoms.rows.rows());
  Columns columns{.by_atom = atoms.rows.data(),
                  .by_row = atoms.by_row.data(),
                  .row_stride = atoms.rows.rows(),
                  .count = atoms.rows.rows(),
                  .inverse_norms = atoms.inverse_norms,
                  .largest_norm = atoms.largest_norm,
                  .barred = skip};
  if (!atoms.whole()) {
    reserve_.clear();
    slack_ = -1;
    g_.resize(atoms.rows.rows());
    working_.clear(atoms.rows.rows(), atoms.rows.cols());
    columns = working_.columns(atoms.largest_norm);
  }
  simplex_.start(columns, x, price);
}

/// The `count` atoms of a list with the largest excess (|g_j| − price) / ‖d_j‖, in the order of their numbers.
void Solver::keep_best(std::vector<int>& list, std::size_t count, double price) const {
  if (list.size() <= count) return;
  const auto excess = [&](int j) { return (std::abs(g_[j]) - price) * atoms_->inverse_norms[j]; };
  const auto before = [&](int a, int b) {
    const double ea = excess(a), eb = excess(b);
    return ea != eb ? ea > eb : a < b;
  };
  std::ranges::nth_element(list, list.begin() + static_cast<std::ptrdiff_t>(count), before);
  list.resize(count);
  std::ranges::sort(list);
}

/// Adds the atoms of the reserve that violate their price most; false where none does.
bool Solver::add_violators(double price) {
  violators_.clear();
  for (const int j : reserve_)
    if (std::abs(g_[j]) > price * (1 + kOptimal) && !working_.contains(j)) violators_.push_back(j);
  if (violators_.empty()) return false;
  const auto n_rows = static_cast<std::size_t>(atoms_->rows.cols());
  keep_best(violators_, working_.atoms().empty() ? std::max(kFirst, n_rows) : std::max(kMore, n_rows / 4), price);
  working_.add(atoms_->rows, atoms_->inverse_norms, violators_);
  return true;
}

/// Prices all atoms: in float32, and again in full precision those that float32 cannot tell from their price; or all of
/// them in full precision. The kReserve atoms nearest to violating their price, or violating it most, become the
/// reserve.
void Solver::price_all(std::span<const double> y, double price, Pricing precision) {
  const Matrix& rows = atoms_->rows;
  const auto n_rows = static_cast<double>(rows.cols());
  const bool in_floats = precision == Pricing::kFloats;
  if (in_floats) {
    y_floats_.assign(y.begin(), y.end());
    g_floats_.resize(rows.rows());
    dot_rows(g_floats_.data(), atoms_->unit_floats.data(), rows.rows(), y_floats_.data(), rows.cols());
  } else {
    price_atoms(rows, y, skip_, g_);
  }
  work_ += static_cast<double>(rows.size());
  const double margin = (in_floats ? kFloatRounding : kRounding) * (n_rows / kLanes + kRoundings) * length(y);
  slack_ = std::numeric_limits<double>::infinity();
  near_.clear();
  for (int j = 0; j < static_cast<int>(rows.rows()); ++j) {
    const double inverse_norm = atoms_->inverse_norms[j], limit = price * inverse_norm;
    const double slack = limit - std::abs(in_floats ? static_cast<double>(g_floats_[j]) : g_[j] * inverse_norm);
    if (inverse_norm == 0 || j == skip_ || working_.contains(j)) continue;
    if (slack < (1 - kNear) * limit)
      near_.emplace_back(slack, j);
    else
      slack_ = std::min(slack_, slack);
  }
  if (near_.size() > kReserve) {
    std::ranges::nth_element(near_, near_.begin() + kReserve);
    slack_ = std::min(slack_, near_[kReserve].first);
    near_.resize(kReserve);
  }
  slack_ = atoms_->fit_floats ? slack_ - margin : -1;
  y_priced_.assign(y.begin(), y.end());
  reserve_.clear();
  for (const auto& [slack, j] : near_) {
    reserve_.push_back(j);
    if (!in_floats) continue;
    const bool clear = std::abs(slack) > margin;
    g_[j] = clear ? g_floats_[j] / atoms_->inverse_norms[j] : dot(rows.row(j).data(), y.data(), rows.cols());
  }
  std::ranges::sort(reserve_);
}

/// Whether y has moved so little since all atoms were priced that none outside working set and reserve can violate its
/// price: |g_j| of a unit atom moves by no more than y does.
bool Solver::outside_is_priced(std::span<const double> y) const {
  if (!(slack_ > 0)) return false;
  double square = 0;
  for (std::size_t i = 0; i < y.size(); ++i) square += (y[i] - y_priced_[i]) * (y[i] - y_priced_[i]);
  return std::sqrt(square) < slack_;
}

/// Widens the working set from the reserve; where that has no more to give, prices all atoms and keeps the best of them
/// as the new reserve. False: no atom violates its price.
template <typename Real>
bool Solver::widen(Simplex<Real>& simplex, double price) {
  const std::span<const double> y = simplex.prices();
  for (const int j : reserve_) g_[j] = dot(atoms_->rows.row(j).data(), y.data(), atoms_->rows.cols());
  work_ += static_cast<double>(reserve_.size() * y.size());
  bool found = add_violators(price);
  for (const Pricing precision : {Pricing::kFloats, Pricing::kDoubles}) {
    if (found || outside_is_priced(y) || (precision == Pricing::kFloats && !atoms_->fit_floats)) continue;
    price_all(y, price, precision);
    found = add_violators(price);
  }
  if (found) simplex.extend(working_.columns(atoms_->largest_norm));
  return found;
}

template <typename Real>
Outcome Solver::optimize(Simplex<Real>& simplex, double price) {
  if (atoms_->whole()) return simplex.run(limit_);
  Outcome outcome = Outcome::kOptimal;
  if (working_.atoms().empty() && !widen(simplex, price)) return outcome;
  do outcome = simplex.run(limit_);
  while (outcome == Outcome::kOptimal && widen(simplex, price));
  return outcome;
}

/// Moves the simplex to the optimal vertex of a faster one with a tableau in float32, if that is a vertex in full
/// precision as well: few pivots, if any, are then left.
void Solver::start_roughly(double price) {
  rough_.start(simplex_.columns(), x_, price);
  (void)optimize(rough_, price);
  if (!atoms_->whole()) simplex_.extend(working_.columns(atoms_->largest_norm));
  (void)simplex_.move_to(rough_);
}

/// g of all atoms, except of those that are known not to violate their price and therefore do not affect the bound.
void Solver::price_for_certificate(Errors errors) {
  const Matrix& rows = atoms_->rows;
  const std::span<const double> y = simplex_.prices();
  const auto price_exactly = [&](int j) {
    g_[j] = dot(rows.row(j).data(), y.data(), rows.cols());
    work_ += static_cast<double>(rows.cols());
  };
  if (errors == Errors::kForbidden || !atoms_->fit_floats || (!atoms_->whole() && !outside_is_priced(y))) {
    price_atoms(rows, y, skip_, g_);
    work_ += static_cast<double>(rows.size());
    return;
  }
  g_.assign(rows.rows(), 0.0);
  if (!atoms_->whole()) {
    std::ranges::for_each(working_.atoms(), price_exactly);
    std::ranges::for_each(reserve_, price_exactly);
    return;
  }
  const std::span<const float> g_floats = simplex_.unit_prices();
  const double margin = kFloatRounding * (static_cast<double>(rows.cols()) / 8 + kRoundings) * length(y);
  for (int j = 0; j < static_cast<int>(rows.rows()); ++j) {
    const bool below = std::abs(static_cast<double>(g_floats[j])) <= atoms_->inverse_norms[j] - margin;  // not if NaN
    if (j != skip_ && !below) price_exactly(j);
  }
}

/// The code of the current vertex, with the duality gap from its prices.
L1Code Solver::certified_vertex(Errors errors) {
  L1Code code;
  const auto positions = simplex_.atoms();
  for (const int p : positions) code.atoms.push_back(atoms_->whole() ? p : working_.atoms()[p]);
  code.values.assign(simplex_.coefficients().begin(), simplex_.coefficients().end());
  account(atoms_->rows, x_, code);
  price_for_certificate(errors);
  code.certificate.assign(simplex_.prices().begin(), simplex_.prices().end());
  code.gap = relative_gap(code.objective, dual_bound(x_, code.certificate, g_, errors));
  return code;
}

/// Optimises, removes what perturbations were needed, and goes on from there until the gap is nothing but rounding.
L1Code Solver::best_vertex(Errors errors, double price, double tolerance) {
  L1Code best;
  account(atoms_->rows, x_, best);
  best.certificate.assign(x_.size(), 0.0);
  best.gap = 1;
  int exhausted = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Outcome outcome = optimize(simplex_, price);
    const bool settled = outcome != Outcome::kBroken && simplex_.settle();
    if (settled) {
      L1Code code = certified_vertex(errors);
      if (std::isfinite(code.objective) && code.gap < best.gap) best = std::move(code);
    }
    if (best.gap <= (attempt < 2 ? kCertain : tolerance)) break;
    if (outcome == Outcome::kLimit && ++exhausted == kExhausted) break;
    if (settled && outcome == Outcome::kOptimal) {
      simplex_.correct_signs();
      simplex_.look_closely();
    } else {
      limit_ = simplex_.pivots() + pivot_limit(atoms_->rows.cols(), atoms_->rows.rows());
      simplex_.restart();
    }
  }
  best.status = best.gap <= tolerance ? L1Status::kSolved : L1Status::kInexact;
  best.pivots = simplex_.pivots();
  best.multiply_adds = simplex_.multiply_adds() + work_;
  return best;
}

L1Code Solver::code(const Atoms& atoms, std::span<const double> x, Index skip, double tolerance) {
  begin(atoms, x, skip, 1);
  if (atoms.fit_floats) start_roughly(1);
  L1Code code = best_vertex(Errors::kAllowed, 1, tolerance);
  if (atoms.fit_floats) {
    code.pivots += rough_.pivots();
    code.multiply_adds += rough_.multiply_adds();
  }
  return code;
}

/// An error costs 1 and an atom ever less, until errors do not pay any more (an exact penalty).
L1Code Solver::code_exactly(const Atoms& atoms, std::span<const double> x, Index skip, double tolerance) {
  double price = kFirstPrice * atoms.typical_norm, size = 0;
  for (const double value : x) size += std::abs(value);
  begin(atoms, x, skip, price);
  L1Code best;
  for (int cut = 0; cut <= kPriceCuts; ++cut) {
    L1Code code = best_vertex(Errors::kForbidden, price, tolerance);
    if (cut == 0 || code.error < best.error || code.error <= kFeasible * size) best = std::move(code);
    if (best.error <= kFeasible * size) return best;
    simplex_.set_price(price *= kPriceCut);
    slack_ = -1;
  }
  best.status = L1Status::kInfeasible;
  best.gap = 1;
  return best;
}

}  // namespace foldout::l1
