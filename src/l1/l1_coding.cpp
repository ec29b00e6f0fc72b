// SPDX-License-Identifier: Apache-2.0
#include "foldout/l1/l1_coding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "foldout/core/error.h"
#include "l1/solver.h"

namespace foldout {

struct L1Dictionary::Data {
  l1::Atoms atoms;
  L1Options options;
};

namespace {

l1::Solver& solver() {
  thread_local l1::Solver instance;
  return instance;
}

/// An atom that is x itself, or -1.
Index find_equal(const l1::Atoms& atoms, std::span<const double> x, Index skip) {
  for (Index j = 0; j < atoms.rows.rows(); ++j)
    if (atoms.first_entries[j] == x[0] && j != skip && std::equal(x.begin(), x.end(), atoms.rows.row(j).data()))
      return j;
  return -1;
}

/// The code e_j of an atom, with the certificate of y = x / ‖x‖²: complete where atoms have one norm.
L1Code code_of_atom(const l1::Atoms& atoms, std::span<const double> x, Index skip, Index equal, l1::Errors errors) {
  L1Code code;
  code.atoms = {static_cast<int>(equal)};
  code.values = {1};
  l1::account(atoms.rows, x, code);
  std::vector<double> g;
  std::vector<double>& y = code.certificate;
  y.assign(x.begin(), x.end());
  double square = 0;
  for (const double value : x) square += value * value;
  for (double& value : y) value /= square;
  l1::price_atoms(atoms.rows, y, skip, g);
  code.gap = l1::relative_gap(code.objective, l1::dual_bound(x, y, g, errors));
  code.multiply_adds = static_cast<double>(atoms.rows.size());
  return code;
}

/// Multiplies a code by 2^exponent.
void scale(L1Code& code, int exponent) {
  for (double& value : code.values) value = std::ldexp(value, exponent);
  code.objective = std::ldexp(code.objective, exponent);
  code.error = std::ldexp(code.error, exponent);
}

L1Code code_with(const l1::Atoms& atoms, std::span<const double> x, Index skip, l1::Errors errors, double tolerance) {
  if (static_cast<Index>(x.size()) != atoms.rows.cols())
    throw InvalidArgument(
        fmt::format("the sample has {} features, but the dictionary was given {}", x.size(), atoms.rows.cols()));
  if (skip >= atoms.rows.rows()) reject("skip", static_cast<double>(skip), "must be the row of an atom, or -1");
  double largest = 0;
  for (const double value : x) {
    if (!std::isfinite(value)) throw InvalidArgument("the sample has a value that is not finite");
    largest = std::max(largest, std::abs(value));
  }
  if (largest == 0) {
    L1Code nothing;
    nothing.certificate.assign(x.size(), 0.0);
    return nothing;
  }
  if (const Index equal = find_equal(atoms, x, skip); equal >= 0) {
    L1Code code = code_of_atom(atoms, x, skip, equal, errors);
    if (code.gap <= 1e-13) return code;
  }
  // A code is homogeneous in the sample; a power of two changes no digit.
  const int exponent = std::ilogb(largest);
  std::vector<double> scaled(x.begin(), x.end());
  for (double& value : scaled) value = std::ldexp(value, -exponent);
  L1Code code = errors == l1::Errors::kAllowed ? solver().code(atoms, scaled, skip, tolerance)
                                               : solver().code_exactly(atoms, scaled, skip, tolerance);
  scale(code, exponent);
  return code;
}

}  // namespace

L1Dictionary::L1Dictionary(Matrix atoms, const L1Options& options) {
  if (atoms.cols() == 0) throw InvalidArgument("a dictionary needs atoms of at least one feature");
  require_finite(atoms, "atoms");
  if (!(options.tolerance > 0)) reject("tolerance", options.tolerance, "must be > 0");
  data_ = std::make_unique<const Data>(Data{l1::Atoms(std::move(atoms)), options});
}

L1Dictionary::~L1Dictionary() = default;
L1Dictionary::L1Dictionary(L1Dictionary&&) noexcept = default;
L1Dictionary& L1Dictionary::operator=(L1Dictionary&&) noexcept = default;

const Matrix& L1Dictionary::atoms() const { return data_->atoms.rows; }

L1Code L1Dictionary::code(std::span<const double> x, Index skip) const {
  return code_with(data_->atoms, x, skip, l1::Errors::kAllowed, data_->options.tolerance);
}

L1Code L1Dictionary::code_exactly(std::span<const double> x, Index skip) const {
  return code_with(data_->atoms, x, skip, l1::Errors::kForbidden, data_->options.tolerance);
}

}  // namespace foldout
