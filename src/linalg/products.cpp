// SPDX-License-Identifier: Apache-2.0
#include "linalg/products.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/distance.h"

namespace foldout {
namespace {

void gemm(CBLAS_TRANSPOSE transpose_a, CBLAS_TRANSPOSE transpose_b, double alpha, const MatrixRef& A,
          const MatrixRef& B, double beta, double* C, Index rows, Index columns) {
  const Index depth = transpose_a == CblasNoTrans ? A.cols() : A.rows();
  if (rows == 0 || columns == 0) return;
  if (depth == 0) {
    if (beta == 0) std::fill_n(C, rows * columns, 0.0);
    return;
  }
  const BlasGuard guard;
  cblas_dgemm(CblasRowMajor, transpose_a, transpose_b, static_cast<int>(rows), static_cast<int>(columns),
              static_cast<int>(depth), alpha, A.data(), static_cast<int>(A.outerStride()), B.data(),
              static_cast<int>(B.outerStride()), beta, C, static_cast<int>(columns));
}

constexpr double kCancellation = 1e-4;  // leaves 12 of 16 digits

Vector squared_norms(const MatrixRef& A) {
  Vector norms(A.rows());
  for (Index i = 0; i < A.rows(); ++i) norms[i] = dot(A.row(i).data(), A.row(i).data(), A.cols());
  return norms;
}

}  // namespace

Matrix multiply(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.rows(), B.cols());
  gemm(CblasNoTrans, CblasNoTrans, 1, A, B, 0, C.data(), C.rows(), C.cols());
  return C;
}

Matrix multiply(const MatrixRef& A, const MatrixRef& B, const RunContext& context) {
  constexpr Index kRows = 512;
  Matrix C(A.rows(), B.cols());
  parallel_blocks(A.rows(), kRows, context, [&](Index begin, Index end) {
    gemm(CblasNoTrans, CblasNoTrans, 1, A.middleRows(begin, end - begin), B, 0, C.data() + begin * C.cols(),
         end - begin, C.cols());
  });
  return C;
}

Matrix multiply_transposed(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.rows(), B.rows());
  gemm(CblasNoTrans, CblasTrans, 1, A, B, 0, C.data(), C.rows(), C.cols());
  return C;
}

Matrix transposed_multiply(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.cols(), B.cols());
  gemm(CblasTrans, CblasNoTrans, 1, A, B, 0, C.data(), C.rows(), C.cols());
  return C;
}

void gram_of_rows(const Matrix& A, ColMatrix& G) {
  const Index k = A.rows(), d = A.cols();
  constexpr Index kFew = 16, kNarrow = 64;  // rows and columns below which BLAS does not pay
  G.resize(k, k);
  if (k < kFew || d < kNarrow) {
    for (Index j = 0; j < k; ++j)
      for (Index l = 0; l <= j; ++l) G(j, l) = dot(A.row(j).data(), A.row(l).data(), d);
    return;
  }
  const BlasGuard guard;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, static_cast<int>(k), static_cast<int>(d), 1.0, A.data(),
              static_cast<int>(d), 0.0, G.data(), static_cast<int>(k));
}

void multiply_transposed(const Eigen::Ref<const FloatRows>& A, const Eigen::Ref<const FloatRows>& B, FloatRows& C) {
  C.resize(A.rows(), B.rows());
  if (C.size() == 0) return;
  const BlasGuard guard;
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(A.rows()), static_cast<int>(B.rows()),
              static_cast<int>(A.cols()), 1.0F, A.data(), static_cast<int>(A.outerStride()), B.data(),
              static_cast<int>(B.outerStride()), 0.0F, C.data(), static_cast<int>(C.cols()));
}

Matrix symmetric_product(const MatrixRef& A, const MatrixRef& B, const RunContext& context) {
  constexpr Index kColumns = 256;
  const Index d = A.cols(), n_blocks = (d + kColumns - 1) / kColumns;
  const auto columns = [=](const MatrixRef& M, Index block) {
    return M.middleCols(block * kColumns, std::min(kColumns, d - block * kColumns));
  };
  Matrix C(d, d);
  std::vector<std::pair<Index, Index>> blocks;
  for (Index i = 0; i < n_blocks; ++i)
    for (Index j = i; j < n_blocks; ++j) blocks.emplace_back(i, j);
  parallel_for(std::ssize(blocks), context, [&](Index b) {
    const auto [i, j] = blocks[static_cast<std::size_t>(b)];
    Matrix block = transposed_multiply(columns(A, i), columns(B, j));
    if (i == j) block = ((block + block.transpose()) / 2).eval();
    C.block(i * kColumns, j * kColumns, block.rows(), block.cols()) = block;
    if (i != j) C.block(j * kColumns, i * kColumns, block.cols(), block.rows()) = block.transpose();
  });
  return C;
}

namespace {

// A op(B) with A in blocks of one fixed height, the last of them padded.
Matrix rowwise(const MatrixRef& A, const MatrixRef& B, CBLAS_TRANSPOSE transpose_b) {
  const Index columns = transpose_b == CblasNoTrans ? B.cols() : B.rows();
  Matrix C(A.rows(), columns);
  Index begin = 0;
  for (; begin + kBlockRows <= A.rows(); begin += kBlockRows)
    gemm(CblasNoTrans, transpose_b, 1, A.middleRows(begin, kBlockRows), B, 0, C.data() + begin * columns, kBlockRows,
         columns);
  if (const Index rest = A.rows() - begin; rest > 0) {
    Matrix padded = Matrix::Zero(kBlockRows, A.cols()), product(kBlockRows, columns);
    padded.topRows(rest) = A.bottomRows(rest);
    gemm(CblasNoTrans, transpose_b, 1, padded, B, 0, product.data(), kBlockRows, columns);
    C.bottomRows(rest) = product.topRows(rest);
  }
  return C;
}

}  // namespace

Matrix multiply_rowwise(const MatrixRef& A, const MatrixRef& B) { return rowwise(A, B, CblasNoTrans); }

Matrix multiply_transposed_rowwise(const MatrixRef& A, const MatrixRef& B) { return rowwise(A, B, CblasTrans); }

Matrix squared_distances(const MatrixRef& A, const MatrixRef& B, const RunContext& context) {
  const Vector a2 = squared_norms(A), b2 = squared_norms(B);
  Matrix D(A.rows(), B.rows());
  parallel_blocks(A.rows(), 4 * kBlockRows, context, [&](Index begin, Index end) {
    D.middleRows(begin, end - begin) = multiply_transposed_rowwise(A.middleRows(begin, end - begin), B);
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < B.rows(); ++j) {
        const double norms = a2[i] + b2[j];
        const double d2 = norms - 2 * D(i, j);
        // Cancellation: a distance that is small relative to the norms is recomputed from the differences.
        D(i, j) = d2 < kCancellation * norms ? squared_distance(A.row(i).data(), B.row(j).data(), A.cols()) : d2;
      }
  });
  return D;
}

Matrix unit_row_distances(const MatrixRef& A, const MatrixRef& B) {
  Matrix D = squared_distances(A, B) / 2;
  for (Index i = 0; i < A.rows(); ++i)
    if ((A.row(i).array() == 0).all()) D.row(i).setOnes();
  for (Index j = 0; j < B.rows(); ++j)
    if ((B.row(j).array() == 0).all()) D.col(j).setOnes();
  return D;
}

}  // namespace foldout
