// SPDX-License-Identifier: Apache-2.0
#include "linalg/sparse_rows.h"

#include <algorithm>

namespace foldout {

SparseMatrix matrix_of_rows(Index rows, Index columns, const RunContext& context,
                            const std::function<void(Index i, RowSum& sum)>& row) {
  constexpr Index kBlock = 32768;  // large, since each block has a table of all columns
  std::vector<std::vector<int>> part_columns(static_cast<std::size_t>((rows + kBlock - 1) / kBlock));
  std::vector<std::vector<double>> part_values(part_columns.size());
  SparseMatrix result(rows, columns);
  int* first = result.outerIndexPtr();
  first[0] = 0;
  parallel_blocks(rows, kBlock, context, [&](Index begin, Index end) {
    RowSum sum(columns);
    for (Index i = begin; i < end; ++i) {
      row(i, sum);
      first[i + 1] = sum.finish();
    }
    const auto part = static_cast<std::size_t>(begin / kBlock);
    part_columns[part] = sum.columns();
    part_values[part] = sum.values();
  });
  for (Index i = 0; i < rows; ++i) first[i + 1] += first[i];
  result.resizeNonZeros(first[rows]);
  parallel_blocks(rows, kBlock, context, [&](Index begin, Index) {
    const auto part = static_cast<std::size_t>(begin / kBlock);
    std::ranges::copy(part_columns[part], result.innerIndexPtr() + first[begin]);
    std::ranges::copy(part_values[part], result.valuePtr() + first[begin]);
    std::vector<int>().swap(part_columns[part]);
    std::vector<double>().swap(part_values[part]);
  });
  return result;
}

SparseMatrix sparse_product(const SparseMatrix& A, const SparseMatrix& B, const RunContext& context) {
  const auto a = rows_of(A), b = rows_of(B);
  return matrix_of_rows(A.rows(), B.cols(), context, [&](Index i, RowSum& sum) {
    for (int e = a.first[i]; e < a.first[i + 1]; ++e) {
      const int k = a.column[e];
      for (int f = b.first[k]; f < b.first[k + 1]; ++f) sum.add(b.column[f], a.value[e] * b.value[f]);
    }
  });
}

Vector diagonal_of(const SparseMatrix& A) {
  Vector diagonal = Vector::Zero(A.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (SparseMatrix::InnerIterator it(A, i); it; ++it)
      if (it.col() == i) diagonal[i] += it.value();
  return diagonal;
}

SparseMatrix transposed(const SparseMatrix& A) {
  SparseMatrix result(A.cols(), A.rows());
  result.resizeNonZeros(A.nonZeros());
  int* first = result.outerIndexPtr();
  std::fill_n(first, A.cols() + 1, 0);
  for (Index e = 0; e < A.nonZeros(); ++e) ++first[A.innerIndexPtr()[e] + 1];
  for (Index j = 0; j < A.cols(); ++j) first[j + 1] += first[j];
  std::vector<int> next(first, first + A.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (int e = A.outerIndexPtr()[i]; e < A.outerIndexPtr()[i + 1]; ++e) {
      const int at = next[static_cast<std::size_t>(A.innerIndexPtr()[e])]++;
      result.innerIndexPtr()[at] = static_cast<int>(i);
      result.valuePtr()[at] = A.valuePtr()[e];
    }
  return result;
}

}  // namespace foldout
