// SPDX-License-Identifier: Apache-2.0
#include "linalg/symmetric_operator.h"

#include "linalg/products.h"

namespace foldout {
namespace {

Vector row_sums(const SparseMatrix& W) { return W * Vector::Ones(W.cols()); }

}  // namespace

SymmetricOperator SymmetricOperator::identity(Index n) { return {.n = n, .diagonal = Vector::Ones(n)}; }

SymmetricOperator SymmetricOperator::laplacian(const SparseMatrix& W) {
  return {.n = W.rows(), .sparse = -W, .diagonal = row_sums(W)};
}

SymmetricOperator SymmetricOperator::degrees(const SparseMatrix& W) { return {.n = W.rows(), .diagonal = row_sums(W)}; }

Matrix SymmetricOperator::times(const MatrixRef& Phi) const {
  Matrix product = Matrix::Zero(n, Phi.cols());
  if (sparse.rows() > 0) product = sparse * Phi;
  if (diagonal.size() > 0) product += diagonal.asDiagonal() * Phi;
  if (factor.size() > 0) product += multiply(factor, weights.asDiagonal() * transposed_multiply(factor, Phi));
  if (dense.size() > 0) product += multiply(dense, Phi);
  return product;
}

Matrix SymmetricOperator::congruence(const MatrixRef& Phi) const {
  const Matrix product = transposed_multiply(Phi, times(Phi));
  return (product + product.transpose()) / 2;
}

}  // namespace foldout
