// SPDX-License-Identifier: Apache-2.0
#include "extend/error_basis.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "linalg/products.h"

namespace foldout {

Matrix dct_basis(Index n) {
  Matrix A(n, n);
  const auto size = static_cast<double>(n);
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < n; ++i)
      A(i, k) = std::sqrt((k == 0 ? 1 : 2) / size) *
                std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) * static_cast<double>(k) / size);
  return A;
}

Matrix haar_basis(Index n) {
  // Pairs of averages become an average and a difference, until one average remains.
  Matrix A(n, n);
  Index filled = 0;
  std::vector<Vector> level;
  for (Index i = 0; i < n; ++i) level.emplace_back(Vector::Unit(n, i));
  while (level.size() > 1) {
    std::vector<Vector> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back((level[i] + level[i + 1]) / std::numbers::sqrt2);
      A.col(filled++) = (level[i] - level[i + 1]) / std::numbers::sqrt2;
    }
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  A.col(filled) = level.front();
  return A;
}

bool is_orthonormal(const MatrixRef& A) {
  if (A.rows() != A.cols()) return false;
  return (transposed_multiply(A, A) - Matrix::Identity(A.cols(), A.cols())).cwiseAbs().maxCoeff() < 1e-10;
}

}  // namespace foldout
