// SPDX-License-Identifier: Apache-2.0
#include "linalg/symmetric_operator.h"

#include <span>

#include "core/parallel.h"
#include "linalg/loops.h"
#include "linalg/products.h"

namespace foldout {
namespace {

Vector row_sums(const SparseMatrix& W) { return W * Vector::Ones(W.cols()); }

constexpr Index kRows = 512;

// Rows begin … end−1 of the product += A Φ.
void add_product(const SparseMatrix& A, const MatrixRef& Phi, Index begin, Index end, Matrix& product) {
  for (Index i = begin; i < end; ++i) {
    const auto first = static_cast<std::size_t>(A.outerIndexPtr()[i]);
    const auto count = static_cast<std::size_t>(A.outerIndexPtr()[i + 1]) - first;
    add_rows(product.row(i).data(), Phi.cols(), Phi.data(), Phi.outerStride(),
             std::span(A.innerIndexPtr() + first, count), std::span(A.valuePtr() + first, count));
  }
}

}  // namespace

SymmetricOperator SymmetricOperator::identity(Index n) { return {.n = n, .diagonal = Vector::Ones(n)}; }

SymmetricOperator SymmetricOperator::laplacian(const SparseMatrix& W) {
  return {.n = W.rows(), .sparse = -W, .diagonal = row_sums(W)};
}

SymmetricOperator SymmetricOperator::degrees(const SparseMatrix& W) { return {.n = W.rows(), .diagonal = row_sums(W)}; }

Matrix SymmetricOperator::times(const MatrixRef& Phi, const RunContext& context) const {
  Matrix product = Matrix::Zero(n, Phi.cols());
  parallel_blocks(n, kRows, context, [&](Index begin, Index end) {
    auto rows = product.middleRows(begin, end - begin);
    if (sparse.rows() > 0) add_product(sparse, Phi, begin, end, product);
    if (diagonal.size() > 0)
      rows += diagonal.segment(begin, end - begin).asDiagonal() * Phi.middleRows(begin, end - begin);
  });
  if (factor.size() > 0) product += multiply(factor, weights.asDiagonal() * transposed_multiply(factor, Phi));
  if (dense.size() > 0) product += multiply(dense, Phi, context);
  return product;
}

Matrix SymmetricOperator::congruence(const MatrixRef& Phi, const RunContext& context) const {
  Matrix result = Matrix::Zero(Phi.cols(), Phi.cols());
  if (sparse.rows() > 0 || diagonal.size() > 0 || factor.size() > 0 || dense.size() > 0)
    result = symmetric_product(Phi, times(Phi, context), context);
  if (root.rows() > 0) {
    Matrix product = Matrix::Zero(root.rows(), Phi.cols());
    parallel_blocks(root.rows(), kRows, context,
                    [&](Index begin, Index end) { add_product(root, Phi, begin, end, product); });
    result += symmetric_product(product, product, context);
  }
  return result;
}

}  // namespace foldout
