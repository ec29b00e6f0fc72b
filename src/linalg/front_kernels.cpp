// SPDX-License-Identifier: Apache-2.0
// Every product is computed in tiles of a few rows and up to four columns, whose sums stay in registers.
#include "linalg/front_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "linalg/loops.h"

namespace foldout {
namespace {

using Four = double __attribute__((vector_size(32)));
using Eight = double __attribute__((vector_size(64)));
constexpr int kColumns = 4;  // of a tile

template <class V>
[[gnu::always_inline]] inline void load(V& v, const double* from) {
  std::memcpy(&v, from, sizeof(V));
}
template <class V>
[[gnu::always_inline]] inline void store(double* to, const V& v) {
  std::memcpy(to, &v, sizeof(V));
}

// The rows of one V and kCount columns of C −= A Bᵀ, or of C = −A Bᵀ. A, B and C are stored by columns.
template <class V, int kCount, bool kOverwrite>
[[gnu::always_inline]] inline void subtract_tile(double* C, Index ldc, const double* A, const double* B, Index ld,
                                                 Index depth) {
  V sum[kCount] = {};
  for (Index k = 0; k < depth; ++k) {
    V rows;
    load(rows, A + k * ld);
    for (int c = 0; c < kCount; ++c) sum[c] += rows * B[k * ld + c];
  }
  for (int c = 0; c < kCount; ++c) {
    V old = {};
    if (!kOverwrite) load(old, C + c * ldc);
    store(C + c * ldc, old - sum[c]);
  }
}

// Rows of X L₁₁ᵀ = B in place, for the kCount columns of a diagonal block.
template <class V, int kCount>
[[gnu::always_inline]] inline void solve_tile(double* X, const double* diagonal, const double* inverse, Index ld) {
  V x[kCount];
  for (int j = 0; j < kCount; ++j) {
    load(x[j], X + j * ld);
    for (int i = 0; i < j; ++i) x[j] -= x[i] * diagonal[i * ld + j];
    x[j] *= inverse[j];
    store(X + j * ld, x[j]);
  }
}

template <int kCount>
[[gnu::always_inline]] inline bool factor_diagonal(double* D, Index ld, double* inverse) {
  for (int j = 0; j < kCount; ++j) {
    double pivot = D[j * ld + j];
    for (int i = 0; i < j; ++i) pivot -= D[i * ld + j] * D[i * ld + j];
    if (!(pivot > 0)) return false;
    pivot = std::sqrt(pivot);
    inverse[j] = 1 / pivot;
    D[j * ld + j] = pivot;
    for (int r = j + 1; r < kCount; ++r) {
      double sum = D[j * ld + r];
      for (int i = 0; i < j; ++i) sum -= D[i * ld + r] * D[i * ld + j];
      D[j * ld + r] = sum * inverse[j];
    }
  }
  return true;
}

// Columns begin … begin + kCount − 1: the columns before them subtracted, then Cholesky of the diagonal block. The rows
// to the end of the front are a multiple of kRowUnit, and a few more that are processed singly.
template <int kCount>
[[gnu::always_inline]] inline bool factor_columns(double* L, Index ld, Index begin) {
  double* block = L + begin * ld;
  const double* own = L + begin;
  Index r = begin;
  for (; (ld - r) % kRowUnit != 0; ++r) subtract_tile<double, kCount, false>(block + r, ld, L + r, own, ld, begin);
  for (; r + 8 <= ld; r += 8) subtract_tile<Eight, kCount, false>(block + r, ld, L + r, own, ld, begin);
  if (r < ld) subtract_tile<Four, kCount, false>(block + r, ld, L + r, own, ld, begin);
  double inverse[kCount];
  const double* diagonal = block + begin;
  if (!factor_diagonal<kCount>(block + begin, ld, inverse)) return false;
  r = begin + kCount;
  for (; (ld - r) % kRowUnit != 0; ++r) solve_tile<double, kCount>(block + r, diagonal, inverse, ld);
  for (; r + 8 <= ld; r += 8) solve_tile<Eight, kCount>(block + r, diagonal, inverse, ld);
  if (r < ld) solve_tile<Four, kCount>(block + r, diagonal, inverse, ld);
  return true;
}

[[gnu::always_inline]] inline bool factor_inline(double* L, Index ld, Index own) {
  Index begin = 0;
  for (; begin + kColumns <= own; begin += kColumns)
    if (!factor_columns<kColumns>(L, ld, begin)) return false;
  switch (own - begin) {
    case 1:
      return factor_columns<1>(L, ld, begin);
    case 2:
      return factor_columns<2>(L, ld, begin);
    case 3:
      return factor_columns<3>(L, ld, begin);
    default:
      return true;
  }
}

// One V of columns of X, with its row i at x + i·width.
template <class V, int kRows>
[[gnu::always_inline]] inline void subtract_rows(const double* L, Index ld, Index own, const double* X1,
                                                 const int* rows, Index width, double* x) {
  V sum[kRows] = {};
  for (Index j = 0; j < own; ++j) {
    V known;
    load(known, X1 + j * width);
    for (int r = 0; r < kRows; ++r) sum[r] += known * L[j * ld + r];
  }
  for (int r = 0; r < kRows; ++r) {
    V old;
    load(old, x + rows[r] * width);
    store(x + rows[r] * width, old - sum[r]);
  }
}

template <class V>
[[gnu::always_inline]] inline void solve_inline(const double* L, Index ld, Index own, Index first, const int* rows,
                                                Index count, Index width, double* x) {
  double* X1 = x + first * width;
  for (Index j = 0; j < own; ++j) {
    V value;
    load(value, X1 + j * width);
    value /= L[j * ld + j];
    store(X1 + j * width, value);
    for (Index i = j + 1; i < own; ++i) {
      V old;
      load(old, X1 + i * width);
      store(X1 + i * width, old - value * L[j * ld + i]);
    }
  }
  Index r = 0;
  for (; r + 4 <= count; r += 4) subtract_rows<V, 4>(L + own + r, ld, own, X1, rows + r, width, x);
  for (; r < count; ++r) subtract_rows<V, 1>(L + own + r, ld, own, X1, rows + r, width, x);
}

// Rows j … j + kCount − 1 of X₁, those after them being known.
template <class V, int kCount>
[[gnu::always_inline]] inline void solve_columns(const double* L, Index ld, Index own, Index j, const int* rows,
                                                 Index count, Index width, double* X1, const double* x) {
  V sum[kCount] = {};
  const double* column = L + j * ld;
  for (Index r = 0; r < count; ++r) {
    V known;
    load(known, x + rows[r] * width);
    for (int c = 0; c < kCount; ++c) sum[c] += known * column[c * ld + own + r];
  }
  for (Index i = j + kCount; i < own; ++i) {
    V known;
    load(known, X1 + i * width);
    for (int c = 0; c < kCount; ++c) sum[c] += known * column[c * ld + i];
  }
  for (int c = kCount - 1; c >= 0; --c) {
    V value;
    load(value, X1 + (j + c) * width);
    value = (value - sum[c]) / column[c * ld + j + c];
    store(X1 + (j + c) * width, value);
    for (int b = 0; b < c; ++b) sum[b] += value * column[b * ld + j + c];
  }
}

template <class V>
[[gnu::always_inline]] inline void solve_transposed_inline(const double* L, Index ld, Index own, Index first,
                                                           const int* rows, Index count, Index width, double* x) {
  double* X1 = x + first * width;
  Index j = own;
  for (; j % kColumns != 0; --j) solve_columns<V, 1>(L, ld, own, j - 1, rows, count, width, X1, x);
  for (; j > 0; j -= kColumns) solve_columns<V, kColumns>(L, ld, own, j - kColumns, rows, count, width, X1, x);
}

}  // namespace

FOLDOUT_VERSIONS bool factor_front(double* L, Index ld, Index own) { return factor_inline(L, ld, own); }

FOLDOUT_VERSIONS void update_of_front(const double* L, Index ld, Index own, double* update) {
  const Index size = ld - own;
  const double* below = L + own;
  for (Index q = 0; q < size; q += kColumns) {
    double* column = update + q * size;
    Index r = q;
    for (; r + 8 <= size; r += 8) subtract_tile<Eight, kColumns, true>(column + r, size, below + r, below + q, ld, own);
    if (r < size) subtract_tile<Four, kColumns, true>(column + r, size, below + r, below + q, ld, own);
  }
}

FOLDOUT_VERSIONS void solve_front(const double* L, Index ld, Index own, Index first, const int* rows, Index count,
                                  Index width, double* x) {
  Index c = 0;
  for (; c + 8 <= width; c += 8) solve_inline<Eight>(L, ld, own, first, rows, count, width, x + c);
  if (c < width) solve_inline<Four>(L, ld, own, first, rows, count, width, x + c);
}

FOLDOUT_VERSIONS void solve_front_transposed(const double* L, Index ld, Index own, Index first, const int* rows,
                                             Index count, Index width, double* x) {
  Index c = 0;
  for (; c + 8 <= width; c += 8) solve_transposed_inline<Eight>(L, ld, own, first, rows, count, width, x + c);
  if (c < width) solve_transposed_inline<Four>(L, ld, own, first, rows, count, width, x + c);
}

}  // namespace foldout
