// SPDX-License-Identifier: Apache-2.0
#include "l1/certificate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "l1/kernels.h"
#include "linalg/loops.h"

namespace foldout::l1 {
namespace {

constexpr double kNothing = 1e-14;  // of the largest entry of x: a contribution that rounding made

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

void price_atoms(const Matrix& atoms, std::span<const double> y, Index skip, std::vector<double>& g) {
  g.resize(atoms.rows());
  dot_rows(g.data(), atoms.data(), atoms.rows(), y.data(), atoms.cols());
  if (skip >= 0) g[skip] = 0;
}

double dual_bound(std::span<const double> x, std::span<const double> y, std::span<const double> g, Errors errors) {
  double scale = largest(g);
  if (errors == Errors::kAllowed) scale = std::max({scale, 1.0, largest(y)});
  const double bound = scale > 0 ? dot(x, y) / scale : 0;
  return bound > 0 ? bound : 0;
}

void account(const Matrix& atoms, std::span<const double> x, L1Code& code) {
  const double negligible = kNothing * largest(x);
  std::vector<std::size_t> order(code.atoms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t p) { return code.atoms[p]; });
  L1Code sorted;
  std::vector<double> e(x.begin(), x.end());
  code.objective = 0;
  for (const std::size_t p : order) {
    const double* atom = atoms.row(code.atoms[p]).data();
    const double value = code.values[p];
    if (std::abs(value) * largest({atom, x.size()}) <= negligible) continue;
    sorted.atoms.push_back(code.atoms[p]);
    sorted.values.push_back(value);
    code.objective += std::abs(value);
    move(e.data(), -value, atom, atoms.cols());
  }
  code.atoms = std::move(sorted.atoms);
  code.values = std::move(sorted.values);
  code.error = 0;
  for (const double value : e) code.error += std::abs(value);
  code.objective += code.error;
}

double relative_gap(double objective, double bound) {
  if (objective == 0) return 0;
  const double gap = (objective - bound) / objective;
  return std::isfinite(gap) ? std::max(gap, 0.0) : 1;
}

}  // namespace foldout::l1
