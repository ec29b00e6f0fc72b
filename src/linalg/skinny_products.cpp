// SPDX-License-Identifier: Apache-2.0
#include "linalg/skinny_products.h"

#include <algorithm>
#include <cstring>

#include "linalg/loops.h"

namespace foldout {
namespace {

constexpr int kLanes = 8;
using Lanes = double __attribute__((vector_size(8 * kLanes)));

[[gnu::always_inline]] inline void load(Lanes& v, const double* from) { std::memcpy(&v, from, sizeof(v)); }

// The coefficients along kCount columns of Q. Every sum has kLanes parts, which are added at the end.
template <int kCount>
[[gnu::always_inline]] inline void coefficients_of(const double* Q, const double* W, Index stride, Index rows,
                                                   double* C, Index m) {
  Lanes sums[kCount][kSkinny] = {};
  Index r = 0;
  for (; r + kLanes <= rows; r += kLanes) {
    Lanes q[kCount];
    for (int k = 0; k < kCount; ++k) load(q[k], Q + k * stride + r);
    for (int c = 0; c < kSkinny; ++c) {
      Lanes w;
      load(w, W + c * stride + r);
      for (int k = 0; k < kCount; ++k) sums[k][c] += q[k] * w;
    }
  }
  for (int k = 0; k < kCount; ++k)
    for (int c = 0; c < kSkinny; ++c) {
      double sum = 0;
      for (int lane = 0; lane < kLanes; ++lane) sum += sums[k][c][lane];
      for (Index rest = r; rest < rows; ++rest) sum += Q[k * stride + rest] * W[c * stride + rest];
      C[c * m + k] = sum;
    }
}

template <int kCount>
[[gnu::always_inline]] inline void subtract_columns(const double* Q, const double* C, Index m, Index stride, Index rows,
                                                    double* W) {
  Index r = 0;
  for (; r + kLanes <= rows; r += kLanes) {
    Lanes q[kCount];
    for (int k = 0; k < kCount; ++k) load(q[k], Q + k * stride + r);
    for (int c = 0; c < kSkinny; ++c) {
      Lanes w;
      load(w, W + c * stride + r);
      for (int k = 0; k < kCount; ++k) w -= q[k] * C[c * m + k];
      std::memcpy(W + c * stride + r, &w, sizeof(w));
    }
  }
  for (; r < rows; ++r)
    for (int c = 0; c < kSkinny; ++c)
      for (int k = 0; k < kCount; ++k) W[c * stride + r] -= Q[k * stride + r] * C[c * m + k];
}

constexpr Index kTogether = 4;  // columns of Q

}  // namespace

FOLDOUT_VERSIONS void skinny_coefficients(const double* Q, Index m, const double* W, Index stride, Index rows,
                                          double* C) {
  Index k = 0;
  for (; k + kTogether <= m; k += kTogether) coefficients_of<kTogether>(Q + k * stride, W, stride, rows, C + k, m);
  for (; k < m; ++k) coefficients_of<1>(Q + k * stride, W, stride, rows, C + k, m);
}

FOLDOUT_VERSIONS void subtract_skinny_product(const double* Q, Index m, const double* C, Index stride, Index rows,
                                              double* W) {
  Index k = 0;
  for (; k + kTogether <= m; k += kTogether) subtract_columns<kTogether>(Q + k * stride, C + k, m, stride, rows, W);
  for (; k < m; ++k) subtract_columns<1>(Q + k * stride, C + k, m, stride, rows, W);
}

}  // namespace foldout
