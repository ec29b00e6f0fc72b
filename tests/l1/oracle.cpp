// SPDX-License-Identifier: Apache-2.0
#include "l1/oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace foldout::oracle {
namespace {

constexpr double kTiny = 1e-11;

/// min cᵀz subject to the rows T (last column: right side ≥ 0), z ≥ 0, from a basis whose columns are unit vectors.
/// Only the first `usable` columns may enter.
double minimize(ColMatrix& T, std::vector<Index>& basis, const Vector& cost, Index usable) {
  const Index rows = T.rows(), right = T.cols() - 1;
  for (;;) {
    Vector in_use(rows);
    for (Index r = 0; r < rows; ++r) in_use[r] = cost[basis[r]];
    Index enter = -1;
    for (Index j = 0; j < usable && enter < 0; ++j)
      if (cost[j] - in_use.dot(T.col(j)) < -kTiny) enter = j;
    if (enter < 0) return in_use.dot(T.col(right));
    Index leave = -1;
    for (Index r = 0; r < rows; ++r) {
      if (T(r, enter) <= kTiny) continue;
      const double better = leave < 0 ? -1 : T(r, right) / T(r, enter) - T(leave, right) / T(leave, enter);
      if (better < -kTiny || (std::abs(better) <= kTiny && basis[r] < basis[leave])) leave = r;
      if (leave < 0) leave = r;
    }
    if (leave < 0) return -std::numeric_limits<double>::infinity();
    T.row(leave) /= T(leave, enter);
    for (Index r = 0; r < rows; ++r)
      if (r != leave) T.row(r) -= T(r, enter) * T.row(leave);
    basis[leave] = enter;
  }
}

/// Columns a⁺ a⁻ e⁺ e⁻ and x, rows turned so that x ≥ 0: e of the right sign is the first basis.
ColMatrix tableau(const Matrix& atoms, std::span<const double> x, std::vector<Index>& basis) {
  const Index n = atoms.rows(), d = atoms.cols();
  ColMatrix T = ColMatrix::Zero(d, 2 * n + 2 * d + 1);
  for (Index i = 0; i < d; ++i) {
    const double turn = x[i] < 0 ? -1 : 1;
    for (Index j = 0; j < n; ++j) {
      T(i, j) = turn * atoms(j, i);
      T(i, n + j) = -turn * atoms(j, i);
    }
    T(i, 2 * n + i) = turn;
    T(i, 2 * n + d + i) = -turn;
    T(i, 2 * n + 2 * d) = turn * x[i];
    basis.push_back(turn > 0 ? 2 * n + i : 2 * n + d + i);
  }
  return T;
}

}  // namespace

double least_l1(const Matrix& atoms, std::span<const double> x) {
  std::vector<Index> basis;
  ColMatrix T = tableau(atoms, x, basis);
  return minimize(T, basis, Vector::Ones(T.cols() - 1), T.cols() - 1);
}

double least_l1_exactly(const Matrix& atoms, std::span<const double> x) {
  std::vector<Index> basis;
  ColMatrix T = tableau(atoms, x, basis);
  const Index n = atoms.rows(), d = atoms.cols();
  Vector cost = Vector::Zero(2 * n + 2 * d);
  cost.tail(2 * d).setOnes();
  if (minimize(T, basis, cost, cost.size()) > 1e-9) return -1;
  // Errors still in the basis are zero; where a row has an atom to offer, it takes the error's place.
  for (Index r = 0; r < d; ++r) {
    if (basis[r] < 2 * n) continue;
    Index j = 0;
    T.row(r).head(2 * n).cwiseAbs().maxCoeff(&j);
    if (std::abs(T(r, j)) <= 1e-9) continue;
    T.row(r) /= T(r, j);
    for (Index s = 0; s < d; ++s)
      if (s != r) T.row(s) -= T(s, j) * T.row(r);
    basis[r] = j;
  }
  cost = Vector::Ones(2 * n + 2 * d);
  return minimize(T, basis, cost, 2 * n);
}

Verdict judge(const Matrix& atoms, std::span<const double> x, const L1Code& code, Index skip, bool errors_allowed) {
  Verdict verdict;
  const Eigen::Map<const Vector> sample(x.data(), static_cast<Index>(x.size()));
  verdict.well_formed = code.atoms.size() == code.values.size() && code.certificate.size() == x.size() &&
                        std::isfinite(code.gap) && code.gap >= 0;
  Vector e = sample;
  int last = -1;
  for (std::size_t p = 0; p < code.atoms.size() && verdict.well_formed; ++p) {
    const int j = code.atoms[p];
    verdict.well_formed =
        j > last && j < atoms.rows() && j != skip && code.values[p] != 0 && std::isfinite(code.values[p]);
    if (!verdict.well_formed) return verdict;
    last = j;
    e -= code.values[p] * atoms.row(j).transpose();
    verdict.objective += std::abs(code.values[p]);
  }
  if (!verdict.well_formed) return verdict;
  verdict.error = e.cwiseAbs().sum();
  verdict.objective += verdict.error;
  const Eigen::Map<const Vector> y(code.certificate.data(), sample.size());
  Vector g = atoms * y;
  if (skip >= 0) g[skip] = 0;
  double scale = g.size() > 0 ? g.cwiseAbs().maxCoeff() : 0;
  if (errors_allowed) scale = std::max({scale, 1.0, y.cwiseAbs().maxCoeff()});
  const double bound = scale > 0 ? sample.dot(y) / scale : 0;
  verdict.gap = verdict.objective > 0 ? (verdict.objective - bound) / verdict.objective : 0;
  return verdict;
}

}  // namespace foldout::oracle
