// SPDX-License-Identifier: Apache-2.0
// An active-set method similar to that of Lawson and Hanson for non-negative least squares (the feature-sign search of
// Lee, Battle, Raina and Ng, 2007, with one atom at a time). With the atoms of the code and their signs fixed, the
// minimum solves a small system. The code moves towards it, and an atom whose coefficient reaches 0 on the way leaves.
// At the minimum, the atom that violates its bound |d_jᵀr| ≤ p_j most, relative to its length, enters. Every step
// lowers the objective; no active set can therefore recur. If an entering atom is a linear combination of those in the
// code, the objective is linear along that combination, and the code follows it until an atom leaves.
#include "dictionary/weighted_lasso.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foldout {
namespace {

// An atom is a linear combination of the others if less than this fraction of it remains after projection onto them.
constexpr double kDependent = 1e-12;
constexpr double kViolated = 1e-12;

}  // namespace

WeightedLasso::WeightedLasso(const Matrix& gram) : gram_(gram), lengths_(gram.diagonal().cwiseMax(0).cwiseSqrt()) {}

void WeightedLasso::add(int atom, double value, double sign) {
  atoms_.push_back(atom);
  x_.push_back(value);
  s_.push_back(sign);
}

void WeightedLasso::remove(Index i) {
  atoms_.erase(atoms_.begin() + i);
  x_.erase(x_.begin() + i);
  s_.erase(s_.begin() + i);
  factored_ = std::min(factored_, i);
}

// Returns the first atom that is a linear combination of those before it, or the number of atoms.
Index WeightedLasso::grow_factor() {
  const auto n = std::ssize(atoms_);
  if (factor_.rows() < n) factor_.conservativeResize(2 * n, 2 * n);
  for (; factored_ < n; ++factored_) {
    const Index k = factored_;
    const auto row_of = gram_.row(atoms_[static_cast<std::size_t>(k)]);
    Vector row(k);
    for (Index i = 0; i < k; ++i) row[i] = row_of[atoms_[static_cast<std::size_t>(i)]];
    factor_.topLeftCorner(k, k).triangularView<Eigen::Lower>().solveInPlace(row);
    const double own = row_of[atoms_[static_cast<std::size_t>(k)]], rest = own - row.squaredNorm();
    if (!(rest > kDependent * own)) return k;
    factor_.row(k).head(k) = row.transpose();
    factor_(k, k) = std::sqrt(rest);
  }
  return n;
}

// From x to the minimum for these atoms and signs: G x = Dy − ps.
void WeightedLasso::direction_to_minimum(const double* products, const double* penalties) {
  const auto n = std::ssize(atoms_);
  direction_.resize(n);
  for (std::size_t i = 0; i < atoms_.size(); ++i)
    direction_[static_cast<Index>(i)] = products[atoms_[i]] - penalties[atoms_[i]] * s_[i];
  const auto L = factor_.topLeftCorner(n, n);
  L.triangularView<Eigen::Lower>().solveInPlace(direction_);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(direction_);
  direction_ -= Eigen::Map<const Vector>(x_.data(), n);
}

// A direction that leaves Σ x d unchanged and lowers the penalties.
void WeightedLasso::flat_direction(const double* products, const double* penalties, Index dependent) {
  const auto n = std::ssize(atoms_);
  direction_ = Vector::Zero(n);
  auto head = direction_.head(dependent);
  const auto row_of = gram_.row(atoms_[static_cast<std::size_t>(dependent)]);
  for (Index i = 0; i < dependent; ++i) head[i] = -row_of[atoms_[static_cast<std::size_t>(i)]];
  const auto L = factor_.topLeftCorner(dependent, dependent);
  L.triangularView<Eigen::Lower>().solveInPlace(head);
  L.transpose().triangularView<Eigen::Upper>().solveInPlace(head);
  direction_[dependent] = 1;
  double slope = 0;
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    double left = products[atoms_[i]];
    for (std::size_t l = 0; l < atoms_.size(); ++l) left -= gram_(atoms_[i], atoms_[l]) * x_[l];
    slope += (penalties[atoms_[i]] * s_[i] - left) * direction_[static_cast<Index>(i)];
  }
  if (slope > 0) direction_ = -direction_;
}

// The coefficient that first reaches 0 along the direction, and at which fraction of it; {-1, ∞} for none.
std::pair<Index, double> WeightedLasso::first_zero() const {
  std::pair<Index, double> first{-1, std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    const double d = direction_[static_cast<Index>(i)];
    if (!(s_[i] * d < 0)) continue;
    const double part = -x_[i] / d;
    if (part < first.second) first = {static_cast<Index>(i), part};
  }
  return first;
}

// Moves the code to the minimum for its atoms and signs, without those that leave on the way. False if the last atom
// would have to leave at once: its violation was rounding error.
bool WeightedLasso::settle(const double* products, const double* penalties) {
  while (!atoms_.empty()) {
    const auto n = std::ssize(atoms_);
    const Index dependent = grow_factor();
    if (dependent < n)
      flat_direction(products, penalties, dependent);
    else
      direction_to_minimum(products, penalties);
    auto [zero, part] = first_zero();
    if (dependent < n && zero < 0) {  // the objective is constant in both directions
      direction_ = -direction_;
      std::tie(zero, part) = first_zero();
    }
    const double step = dependent < n ? part : std::min(part, 1.0);
    for (Index i = 0; i < n; ++i) x_[static_cast<std::size_t>(i)] += step * direction_[i];
    if (dependent == n && part >= 1) return true;
    if (zero < 0) return false;  // no direction left, because of rounding
    remove(zero);
    if (step == 0 && zero == n - 1) return false;
  }
  return true;
}

void WeightedLasso::solve(const double* products, const double* penalties, double size, CodeRow& code) {
  atoms_.clear();
  x_.clear();
  s_.clear();
  factored_ = 0;
  for (const auto& [atom, value] : code) add(atom, value, value < 0 ? -1 : 1);
  (void)settle(products, penalties);
  const Index K = gram_.rows();
  const Index most_steps = 100 + 10 * K;  // many times what is needed; ends cycles caused by rounding
  for (Index step = 0; step < most_steps; ++step) {
    left_ = Eigen::Map<const Vector>(products, K);
    for (std::size_t i = 0; i < atoms_.size(); ++i) left_ -= x_[i] * gram_.row(atoms_[i]).transpose();
    for (const int atom : atoms_) left_[atom] = 0;
    Index enters = -1;
    double most = kViolated * size;
    for (Index j = 0; j < K; ++j) {
      const double violation = (std::abs(left_[j]) - penalties[j]) / lengths_[j];  // NaN for an atom of length 0
      if (!(violation > most)) continue;
      enters = j;
      most = violation;
    }
    if (enters < 0) break;
    add(static_cast<int>(enters), 0, left_[enters] < 0 ? -1 : 1);
    if (!settle(products, penalties)) break;
  }
  code.clear();
  for (std::size_t i = 0; i < atoms_.size(); ++i) code.emplace_back(atoms_[i], x_[i]);
  std::ranges::sort(code);
}

}  // namespace foldout
