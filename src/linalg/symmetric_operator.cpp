// SPDX-License-Identifier: Apache-2.0
#include "linalg/symmetric_operator.h"

#include <span>

#include "core/parallel.h"
#include "linalg/loops.h"
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

Matrix SymmetricOperator::times(const MatrixRef& Phi, const RunContext& context) const {
  constexpr Index kRows = 512;
  Matrix product = Matrix::Zero(n, Phi.cols());
  parallel_blocks(n, kRows, context, [&](Index begin, Index end) {
    auto rows = product.middleRows(begin, end - begin);
    if (sparse.rows() > 0)
      for (Index i = begin; i < end; ++i) {
        const auto first = static_cast<std::size_t>(sparse.outerIndexPtr()[i]);
        const auto count = static_cast<std::size_t>(sparse.row(i).nonZeros());
        add_rows(product.row(i).data(), Phi.cols(), Phi.data(), Phi.outerStride(),
                 std::span(sparse.innerIndexPtr() + first, count), std::span(sparse.valuePtr() + first, count));
      }
    if (diagonal.size() > 0)
      rows += diagonal.segment(begin, end - begin).asDiagonal() * Phi.middleRows(begin, end - begin);
  });
  if (factor.size() > 0) product += multiply(factor, weights.asDiagonal() * transposed_multiply(factor, Phi));
  if (dense.size() > 0) product += multiply(dense, Phi, context);
  return product;
}

Matrix SymmetricOperator::congruence(const MatrixRef& Phi, const RunContext& context) const {
  return symmetric_product(Phi, times(Phi, context), context);
}

}  // namespace foldout
