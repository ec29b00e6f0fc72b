// SPDX-License-Identifier: Apache-2.0
#include "dictionary/code_solver.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "linalg/distance.h"
#include "linalg/loops.h"

namespace foldout {
namespace {

constexpr double kLeastPivot = 1e-13;

// Row i of L from row i of the system: L_ij = (M_ij − Σ_k L_ik L_jk) / L_jj. False if the pivot is not positive.
FOLDOUT_VERSIONS bool factor_row(double* row, const double* above, Index stride, Index i) {
  for (Index j = 0; j < i; ++j) {
    const double* other = above + j * stride;
    const double sum = lane_sum(
        j, [=](Index k) __attribute__((always_inline)) { return row[k] * other[k]; });
    row[j] = (row[j] - sum) / other[j];
  }
  const double pivot = row[i] - lane_sum(
                                    i, [=](Index k) __attribute__((always_inline)) { return row[k] * row[k]; });
  const bool sound = pivot > kLeastPivot * row[i] && std::isfinite(pivot);  // otherwise only rounding errors remain
  row[i] = std::sqrt(pivot);
  return sound;
}

FOLDOUT_VERSIONS void subtract(double* out, double factor, const double* row, Index n) {
  for (Index k = 0; k < n; ++k) out[k] -= factor * row[k];
}

// By the smallest ridge that works; atoms that coincide with the sample get equal weights.
double solve_singular(const Matrix& gram, const LocalCodeWeights& weights, std::span<double> code) {
  const Index k = std::ssize(code);
  const auto block = gram.topLeftCorner(k, k);
  const double trace = block.diagonal().sum();
  Vector x;
  double sum = 0;
  for (const double least : {1e-13, 1e-10, 1e-7}) {
    ColMatrix system = block;
    system.diagonal() *= 1 + weights.locality;
    system.diagonal().array() += std::max(weights.ridge, trace > 0 ? least * trace : least);
    const Eigen::LLT<Eigen::Ref<ColMatrix>, Eigen::Lower> factor(system);
    x = factor.solve(Vector::Ones(k));
    sum = x.sum();
    if (factor.info() == Eigen::Success && x.allFinite() && sum > 0) break;
    x.setOnes();
    sum = static_cast<double>(k);
  }
  for (Index j = 0; j < k; ++j) code[static_cast<std::size_t>(j)] = x[j] / sum;
  return 1 / sum;
}

}  // namespace

void CodeSolver::factor(const LocalCodeWeights& weights) {
  weights_ = weights;
  const Index n = gram_.rows();
  factor_ = gram_;
  factor_.diagonal() = (1 + weights.locality) * gram_.diagonal().array() + weights.ridge;
  forward_.resize(n);
  for (solved_ = 0; solved_ < n; ++solved_) {
    double* row = factor_.row(solved_).data();
    if (!factor_row(row, factor_.data(), n, solved_)) return;
    const double sum = lane_sum(solved_, [&](Index k) { return row[k] * forward_[k]; });
    forward_[solved_] = (1 - sum) / row[solved_];
  }
}

double CodeSolver::solve(std::span<double> code) const {
  const Index n = std::ssize(code);
  if (n > solved_) return solve_singular(gram_, weights_, code);
  std::copy_n(forward_.data(), n, code.begin());
  const double sum = forward_.head(n).squaredNorm();  // 1ᵀM⁻¹1
  for (Index i = n; i-- > 0;) {
    double& x = code[static_cast<std::size_t>(i)];
    x /= factor_(i, i);
    subtract(code.data(), x, factor_.row(i).data(), i);
  }
  double total = 0;
  for (const double x : code) total += x;
  if (!(total > 0) || !std::isfinite(total)) return solve_singular(gram_, weights_, code);
  for (double& x : code) x /= total;
  return 1 / sum;  // xᵀMx for x with sum one
}

}  // namespace foldout
