// SPDX-License-Identifier: Apache-2.0
#include "foldout/linalg/kernel.h"

#include <algorithm>
#include <cmath>

#include "foldout/core/parallel.h"
#include "foldout/linalg/distance.h"
#include "foldout/linalg/products.h"

namespace foldout {
namespace {

constexpr double kCancellation = 1e-4;

void to_squared_distances(const MatrixRef& A, const MatrixRef& B, Matrix& products) {
  Vector b2(B.rows());
  for (Index j = 0; j < B.rows(); ++j) b2[j] = dot(B.row(j).data(), B.row(j).data(), B.cols());
  for (Index i = 0; i < A.rows(); ++i) {
    const double a2 = dot(A.row(i).data(), A.row(i).data(), A.cols());
    for (Index j = 0; j < B.rows(); ++j) {
      double d2 = a2 + b2[j] - 2 * products(i, j);
      if (d2 < kCancellation * (a2 + b2[j])) d2 = squared_distance(A.row(i).data(), B.row(j).data(), A.cols());
      products(i, j) = d2;
    }
  }
}

}  // namespace

Matrix kernel_rows(const Kernel& kernel, const MatrixRef& A, const MatrixRef& B) {
  Matrix rows = multiply_rowwise(A, Matrix(B.transpose()));
  switch (kernel.kind) {
    case KernelKind::kGaussian:
      to_squared_distances(A, B, rows);
      for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = std::exp(-rows.data()[i] / kernel.width);
      break;
    case KernelKind::kPolynomial:
      for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = std::pow(rows.data()[i] + 1, kernel.degree);
      break;
    case KernelKind::kLinear:
      break;
  }
  return rows;
}

Matrix kernel_matrix(const Kernel& kernel, const MatrixRef& X, const RunContext& context) {
  const Index n = X.rows();
  Matrix K(n, n);
  parallel_blocks(
      n, 8 * kBlockRows, context,
      [&](Index begin, Index end) {
        K.middleRows(begin, end - begin) = kernel_rows(kernel, X.middleRows(begin, end - begin), X);
      },
      "kernel");
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) K(j, i) = K(i, j);
  return K;
}

KernelCentering::KernelCentering(const MatrixRef& K) : column_means(K.colwise().mean()), mean(column_means.mean()) {}

void KernelCentering::apply(Matrix& rows) const {
  for (Index i = 0; i < rows.rows(); ++i) {
    const double* row = rows.row(i).data();
    const double row_mean = lane_sum(rows.cols(), [=](Index j) { return row[j]; }) / static_cast<double>(rows.cols());
    rows.row(i).array() += mean - row_mean;
    rows.row(i) -= column_means.transpose();
  }
}

}  // namespace foldout
