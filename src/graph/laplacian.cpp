// SPDX-License-Identifier: Apache-2.0
#include "foldout/graph/laplacian.h"

namespace foldout {
namespace {

// diag(diagonal) − scale_i W_ij scale_j; self-loops of W fall onto the diagonal, wherever the pattern has one.
SparseMatrix diagonal_minus(const SparseMatrix& W, const Vector& diagonal, const Vector& scale) {
  SparseMatrix result(W.rows(), W.cols());
  Eigen::VectorXi counts(W.rows());
  for (Index i = 0; i < W.rows(); ++i)
    counts[i] = static_cast<int>(W.outerIndexPtr()[i + 1] - W.outerIndexPtr()[i]) + 1;
  result.reserve(counts);
  for (Index i = 0; i < W.rows(); ++i) {
    double at_diagonal = diagonal[i];
    bool inserted = false;
    for (SparseMatrix::InnerIterator it(W, i); it; ++it) {
      const double value = scale[i] * it.value() * scale[it.col()];
      if (it.col() == i) {
        at_diagonal -= value;
        continue;
      }
      if (it.col() > i && !inserted) {
        result.insert(i, i) = at_diagonal;
        inserted = true;
      }
      result.insert(i, it.col()) = -value;
    }
    if (!inserted) result.insert(i, i) = at_diagonal;
  }
  result.makeCompressed();
  return result;
}

}  // namespace

SparseMatrix laplacian(const SparseMatrix& W) {
  const Vector degrees = W * Vector::Ones(W.cols());
  return diagonal_minus(W, degrees, Vector::Ones(W.rows()));
}

SparseMatrix normalized_laplacian(const SparseMatrix& W, const Vector& degrees) {
  return diagonal_minus(W, Vector::Ones(W.rows()), degrees.cwiseSqrt().cwiseInverse());
}

Matrix normalized_adjacency(const Matrix& W, const Vector& degrees) {
  const Vector scale = degrees.cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * W * scale.asDiagonal();
}

}  // namespace foldout
