// SPDX-License-Identifier: Apache-2.0
// Private: products of a sparse matrix with several vectors at a time, and products of sparse matrices, in parallel
// over blocks of rows with fixed borders.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "core/parallel.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// The rows of a matrix whose pattern belongs to somebody else.
template <class T>
struct RowsView {
  Index count;
  const int* first;   ///< entry of every row, and the number of entries
  const int* column;  ///< of every entry
  const T* value;
};

[[nodiscard]] inline RowsView<double> rows_of(const SparseMatrix& A) {
  return {A.rows(), A.outerIndexPtr(), A.innerIndexPtr(), A.valuePtr()};
}

inline constexpr Index kSparseRows = 4096;  // of a block of a parallel loop

/// One row of A X for `kWidth` vectors, with row i of X at i·width.
template <int kWidth, class T, class V>
[[gnu::always_inline]] inline void row_product(const RowsView<T>& A, Index i, const V* x, Index width, V* sum) {
  std::array<V, kWidth> s{};
  for (int e = A.first[i]; e < A.first[i + 1]; ++e) {
    const V value = A.value[e];
    const V* from = x + A.column[e] * width;
    for (int c = 0; c < kWidth; ++c) s[c] += value * from[c];
  }
  for (int c = 0; c < kWidth; ++c) sum[c] = s[c];
}

/// Calls finish(i, row i of A X) for rows begin … end−1; X has `width` columns, a multiple of 4, and row i at i·stride.
template <class T, class V, class Finish>
void for_products(const RowsView<T>& A, const V* x, Index width, Index stride, Index begin, Index end,
                  const Finish& finish) {
  std::vector<V> sum(static_cast<std::size_t>(width));
  for (Index i = begin; i < end; ++i) {
    Index c = 0;
    for (; c + 12 <= width; c += 12) row_product<12>(A, i, x + c, stride, sum.data() + c);
    for (; c + 8 <= width; c += 8) row_product<8>(A, i, x + c, stride, sum.data() + c);
    for (; c < width; c += 4) row_product<4>(A, i, x + c, stride, sum.data() + c);
    finish(i, sum.data());
  }
}

/// The same for all rows.
template <class T, class V, class Finish>
void for_each_product(const RowsView<T>& A, const V* x, Index width, const RunContext& context, const Finish& finish) {
  parallel_blocks(A.count, kSparseRows, context,
                  [&](Index begin, Index end) { for_products(A, x, width, width, begin, end, finish); });
}

/// Sums the entries of a row that is being computed.
class RowSum {
 public:
  explicit RowSum(Index columns) : place_(static_cast<std::size_t>(columns), -1) {}
  void add(int column, double value) {
    int& at = place_[static_cast<std::size_t>(column)];
    if (at < row_start_) {
      at = static_cast<int>(columns_.size());
      columns_.push_back(column);
      values_.push_back(value);
    } else {
      values_[static_cast<std::size_t>(at)] += value;
    }
  }
  /// Starts the next row; returns the number of entries of the one before.
  int finish() {
    const int length = static_cast<int>(columns_.size()) - row_start_;
    row_start_ += length;
    return length;
  }
  [[nodiscard]] const std::vector<int>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  std::vector<int> place_, columns_;
  std::vector<double> values_;
  int row_start_ = 0;
};

/// The matrix whose row i is what row(i, sum) adds; the entries of a row are in the order in which they were added.
[[nodiscard]] SparseMatrix matrix_of_rows(Index rows, Index columns, const RunContext& context,
                                          const std::function<void(Index i, RowSum& sum)>& row);

/// A B
[[nodiscard]] SparseMatrix sparse_product(const SparseMatrix& A, const SparseMatrix& B, const RunContext& context);

/// The diagonal of a matrix whose rows need not be sorted.
[[nodiscard]] Vector diagonal_of(const SparseMatrix& A);

/// Aᵀ; its rows are sorted.
[[nodiscard]] SparseMatrix transposed(const SparseMatrix& A);

}  // namespace foldout
