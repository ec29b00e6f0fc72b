// SPDX-License-Identifier: Apache-2.0
#include "graph/laplacian.h"

namespace foldout {
namespace {

// diag(diagonal) − scale_i W_ij scale_j; self-loops of W are subtracted from the diagonal.
SparseMatrix diagonal_minus(const SparseMatrix& W, const Vector& diagonal, const Vector& scale) {
  const Index n = W.rows();
  SparseMatrix result(n, n);
  result.resizeNonZeros(W.nonZeros() + n);
  int at = 0;
  const auto write = [&](Index column, double value) {
    result.innerIndexPtr()[at] = static_cast<int>(column);
    result.valuePtr()[at++] = value;
  };
  for (Index i = 0; i < n; ++i) {
    result.outerIndexPtr()[i] = at;
    double at_diagonal = diagonal[i];
    for (SparseMatrix::InnerIterator it(W, i); it; ++it)
      if (it.col() == i) at_diagonal -= scale[i] * it.value() * scale[i];
    bool written = false;
    for (SparseMatrix::InnerIterator it(W, i); it; ++it) {
      if (it.col() >= i && !written) {
        write(i, at_diagonal);
        written = true;
      }
      if (it.col() != i) write(it.col(), -scale[i] * it.value() * scale[it.col()]);
    }
    if (!written) write(i, at_diagonal);
  }
  result.outerIndexPtr()[n] = at;
  result.resizeNonZeros(at);  // one entry fewer for every self-loop
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
