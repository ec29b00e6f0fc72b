// SPDX-License-Identifier: Apache-2.0
#include "l1/factor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "l1/kernels.h"

namespace foldout::l1 {
namespace {

constexpr double kSingular = 1e-14;  // of the largest diagonal entry of U

}  // namespace

std::span<double> Factor::prepare(Index size) {
  size_ = size;
  entries_.resize(size * size);
  swapped_.resize(size);
  return entries_;
}

bool Factor::factorize() {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (Index p = 0; p < size_; ++p) {
    double* c = column(p);
    const Index pivot =
        std::max_element(c + p, c + size_, [](double a, double b) { return std::abs(a) < std::abs(b); }) - c;
    swapped_[p] = pivot;
    if (pivot != p)
      for (Index j = 0; j < size_; ++j) std::swap(column(j)[p], column(j)[pivot]);
    least = std::min(least, std::abs(c[p]));
    most = std::max(most, std::abs(c[p]));
    if (!(std::abs(c[p]) > 0) || !std::isfinite(c[p])) return false;
    const Index below = size_ - p - 1;
    scale(c + p + 1, 1 / c[p], c + p + 1, below);
    row_.resize(below);
    for (Index j = 0; j < below; ++j) row_[j] = column(p + 1 + j)[p];
    subtract_outer(column(p + 1) + p + 1, size_, {c + p + 1, static_cast<std::size_t>(below)}, row_);
  }
  return least > kSingular * most;
}

void Factor::solve(std::span<double> b) {
  for (Index p = 0; p < size_; ++p) std::swap(b[p], b[swapped_[p]]);
  for (Index p = 0; p < size_; ++p)
    if (b[p] != 0) move(b.data() + p + 1, -b[p], column(p) + p + 1, size_ - p - 1);
  for (Index p = size_ - 1; p >= 0; --p) {
    b[p] /= column(p)[p];
    move(b.data(), -b[p], column(p), p);
  }
}

void Factor::solve_transposed(std::span<double> b) {
  for (Index p = 0; p < size_; ++p) b[p] = (b[p] - dot(column(p), b.data(), p)) / column(p)[p];
  for (Index p = size_ - 1; p >= 0; --p) b[p] -= dot(column(p) + p + 1, b.data() + p + 1, size_ - p - 1);
  for (Index p = size_ - 1; p >= 0; --p) std::swap(b[p], b[swapped_[p]]);
}

}  // namespace foldout::l1
