// SPDX-License-Identifier: Apache-2.0
// Let a_j = e_min/e_j (1 for the nearest atom, less for others), c_j = a_j u_j, Q the rows a_j (b_j − y), ρ =
// λσ²e_min². Then the code minimises ‖Qᵀu‖² + ρ‖u‖² subject to aᵀu = 1, which gives u ∝ (QQᵀ + ρI)⁻¹ a without the huge
// and tiny numbers e_j. With more atoms than features, the same u ∝ a − Q (QᵀQ + ρI)⁻¹ Qᵀa: the residual of a ridge
// regression of a on Q. (The paper's Eq. (4) has diag(e) where its Eq. (3) implies diag(e)².)
#include "dictionary/llc_coding.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dictionary/improve.h"
#include "linalg/distance.h"
#include "linalg/products.h"

namespace foldout {
namespace {

constexpr double kLeastRidge = 1e-12;  // of the trace: codes keep at least four digits
constexpr double kNoWeight = 1e-8;     // atoms of smaller weight change no digit of a code

// The code, with sum one, over `chosen` atoms with weights a.
Vector solve(const double* sample, const Matrix& atoms, std::span<const int> chosen, const Vector& a, double ridge) {
  const Index n = std::ssize(chosen), d = atoms.cols();
  const Eigen::Map<const Eigen::RowVectorXd> y(sample, d);
  Matrix Q(n, d);
  for (Index j = 0; j < n; ++j) Q.row(j) = a[j] * (atoms.row(chosen[static_cast<std::size_t>(j)]) - y);
  ColMatrix system = n > d ? transposed_multiply(Q, Q) : multiply_transposed(Q, Q);
  const double least = kLeastRidge * system.trace();
  system.diagonal().array() += std::max(ridge, least > 0 ? least : 1);
  const Eigen::LLT<Eigen::Ref<ColMatrix>, Eigen::Lower> factor(system);
  const Vector u = n > d ? Vector(a - Q * factor.solve(Q.transpose() * a)) : Vector(factor.solve(a));
  const Vector c = a.cwiseProduct(u);
  const double sum = c.sum();
  if (c.allFinite() && sum > 0) return c / sum;
  return Vector::Constant(n, 1.0 / static_cast<double>(n));
}

}  // namespace

Vector llc_code(const double* sample, const Matrix& atoms, const LlcWeights& weights, double& cost) {
  const Index K = atoms.rows(), d = atoms.cols();
  Vector distances(K);
  for (Index j = 0; j < K; ++j) distances[j] = std::sqrt(squared_distance(sample, atoms.row(j).data(), d));
  const double sigma = weights.sigma, nearest = distances.minCoeff(), farthest = distances.maxCoeff();
  std::vector<int> near;
  std::vector<double> a;
  for (Index j = 0; j < K; ++j)
    if (const double weight = std::exp((nearest - distances[j]) / sigma); weight > kNoWeight) {
      near.push_back(static_cast<int>(j));
      a.push_back(weight);
    }
  const double scale = weights.locality * sigma * sigma, least = std::exp((nearest - farthest) / sigma);
  const Vector c = solve(sample, atoms, near, Eigen::Map<const Vector>(a.data(), std::ssize(a)), scale * least * least);
  Vector code = Vector::Zero(K);
  Eigen::RowVectorXd left = Eigen::Map<const Eigen::RowVectorXd>(sample, d);
  cost = 0;
  for (std::size_t k = 0; k < near.size(); ++k) {
    const double x = code[near[k]] = c[static_cast<Index>(k)];
    const double penalised = x * std::exp((distances[near[k]] - farthest) / sigma);
    left -= x * atoms.row(near[k]);
    cost += scale * penalised * penalised;
  }
  cost += left.squaredNorm();
  return code;
}

Vector affine_fit(const double* sample, const Matrix& atoms, std::span<const int> chosen) {
  return solve(sample, atoms, chosen, Vector::Ones(std::ssize(chosen)), 0);
}

}  // namespace foldout
