// SPDX-License-Identifier: Apache-2.0
#include "linalg/kernel.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "linalg/distance.h"
#include "linalg/products.h"

namespace foldout {
Matrix kernel_rows(const Kernel& kernel, const MatrixRef& A, const MatrixRef& B) {
  Matrix rows = kernel.kind == KernelKind::kGaussian ? squared_distances(A, B) : multiply_transposed_rowwise(A, B);
  switch (kernel.kind) {
    case KernelKind::kGaussian:
      for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = std::exp(-rows.data()[i] / kernel.width);
      break;
    case KernelKind::kPolynomial:
      for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = std::pow(rows.data()[i] + 1, kernel.degree);
      break;
    case KernelKind::kLinear:
    case KernelKind::kPrecomputed:  // never computed
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
