// SPDX-License-Identifier: Apache-2.0
#include "l1/problems.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/random.h"

namespace foldout::dataset {
namespace {

void unit_rows(Matrix& atoms) {
  for (Index j = 0; j < atoms.rows(); ++j)
    if (const double norm = atoms.row(j).norm(); norm > 0) atoms.row(j) /= norm;
}

/// `count` atoms, summed with weights of either sign.
Vector mixture(const Matrix& atoms, Index count, Rng& rng) {
  Vector x = Vector::Zero(atoms.cols());
  for (Index c = 0; c < count; ++c) {
    const auto j = static_cast<Index>(rng.below(static_cast<std::uint64_t>(atoms.rows())));
    x += rng.normal() * atoms.row(j).transpose();
  }
  return x;
}

Matrix whole_numbers(Index rows, Index columns, int most, Rng& rng) {
  Matrix A(rows, columns);
  for (double& entry : A.reshaped<Eigen::RowMajor>())
    entry = static_cast<double>(rng.below(static_cast<std::uint64_t>(2 * most + 1))) - most;
  return A;
}

void spoil(Vector& x, double share, Rng& rng) {
  for (double& entry : x)
    if (rng.uniform() < share) entry += rng.uniform(-1, 1);
}

}  // namespace

CodingProblem coding_problem(int family, Index n, Index d, std::uint64_t seed) {
  static const std::array<std::string, kCodingFamilies> names = {
      "gaussian", "exactly sparse", "an atom", "duplicates", "near duplicates", "whole numbers",
      "zeros",    "gross errors",   "norms",   "images",     "low rank",        "signs"};
  Rng rng = Rng(seed).stream(static_cast<std::uint64_t>(family));
  Matrix A = rng.normal_matrix(n, d);
  unit_rows(A);
  const Index few = std::max<Index>(1, std::min(n, d) / 8);
  Vector x = rng.normal_vector(d) / std::sqrt(static_cast<double>(d));
  switch (family) {
    case 1:
      x = mixture(A, few, rng);
      break;
    case 2:
      x = A.row(static_cast<Index>(rng.below(static_cast<std::uint64_t>(n))));
      break;
    case 3:
      for (Index j = 1; j < n; j += 2) A.row(j) = (j % 4 == 1 ? 1.0 : -1.0) * A.row(j - 1);
      x = mixture(A, few, rng) + 0.1 * x;
      break;
    case 4:
      for (Index j = 1; j < n; ++j)
        A.row(j) = A.row(j % 5) + std::pow(10.0, -3.0 - static_cast<double>(seed % 6)) * A.row(j);
      x = mixture(A, few, rng) + 0.1 * x;
      break;
    case 5:
      A = whole_numbers(n, d, 3, rng);
      x = whole_numbers(1, d, 5, rng).row(0);
      break;
    case 6:
      for (Index j = 0; j < n; j += 3) A.row(j).setZero();
      x = mixture(A, few, rng);
      break;
    case 7:
      x = mixture(A, few, rng);
      spoil(x, 0.4, rng);
      break;
    case 8:
      for (Index j = 0; j < n; ++j) A.row(j) *= std::pow(10.0, rng.uniform(-3, 3));
      break;
    case 9:  // non-negative, many zeros, as images are
      A = whole_numbers(n, d, 255, rng).cwiseMax(0);
      unit_rows(A);
      x = mixture(A, few, rng).cwiseAbs();
      spoil(x, 0.1, rng);
      for (Index i = 0; i < d; i += 4) x[i] = 0;
      break;
    case 10: {
      const Index rank = std::max<Index>(1, std::min(n, d) / 4);
      A = rng.normal_matrix(n, rank) * rng.normal_matrix(rank, d);
      unit_rows(A);
      x = mixture(A, 3, rng);
      break;
    }
    case 11:
      A = whole_numbers(n, d, 1, rng);
      x = A.row(0) + A.row(n / 2) - A.row(n - 1);
      break;
    default:
      break;
  }
  return {names[family], A, std::vector<double>(x.begin(), x.end())};
}

}  // namespace foldout::dataset
