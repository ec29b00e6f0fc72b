// SPDX-License-Identifier: Apache-2.0
// The tableau, the values and the prices of a basis from a factorisation of B = A[Z,S].
#include <algorithm>
#include <cmath>
#include <limits>

#include "dictionary/l1_kernels.h"
#include "dictionary/l1_simplex.h"
#include "linalg/blas.h"

namespace foldout::l1 {
namespace {

constexpr double kSingular = 1e-14;  // of the largest diagonal entry of the triangle

}  // namespace

/// Room for k columns of n_rows + k values, the ones in use moved along.
void Simplex::reserve(Index k_needed) {
  if (stride_ > n_rows_ + k_needed) return;
  const Index room = std::max<Index>(32, 2 * k_needed);
  const Index stride = (n_rows_ + room + 8) / 8 * 8;
  const Index used = stride_ == 0 ? 0 : k(), old = stride_;
  tableau_.resize(std::max(tableau_.size(), static_cast<std::size_t>(stride * (stride - n_rows_))));
  for (Index q = used - 1; q >= 0; --q)
    std::copy_backward(tableau_.begin() + q * old, tableau_.begin() + q * old + old,
                       tableau_.begin() + q * stride + old);
  stride_ = stride;
  direction_.resize(stride);
}

/// inverse_ = B⁻¹, column-major, and basis_ = A_S.
bool Simplex::invert_basis() {
  const int size = static_cast<int>(k());
  basis_.resize(n_rows_ * size);
  inverse_.resize(static_cast<std::size_t>(size) * size);
  permutation_.resize(size);
  for (int p = 0; p < size; ++p) {
    std::copy_n(atom(S_[p]), n_rows_, basis_.begin() + p * n_rows_);
    for (int q = 0; q < size; ++q) inverse_[p * size + q] = basis_[p * n_rows_ + Z_[q]];
  }
  int info = 0;
  dgetrf_(&size, &size, inverse_.data(), &size, permutation_.data(), &info);
  if (info != 0) return false;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (int p = 0; p < size; ++p) {
    const double entry = std::abs(inverse_[p * size + p]);
    least = std::min(least, entry);
    most = std::max(most, entry);
  }
  if (!(least > kSingular * most) || !std::isfinite(most)) return false;
  const int room = 64 * size;
  weights_.resize(room);
  dgetri_(&size, inverse_.data(), &size, permutation_.data(), weights_.data(), &room, &info);
  work_ += std::pow(size, 3);
  return info == 0;
}

bool Simplex::refresh() {
  since_refresh_ = 0;
  if (k() > 0) {
    if (!invert_basis()) return false;
    const Index size = k();
    reserve(size);
    const int n = static_cast<int>(n_rows_), m = static_cast<int>(size);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, m, 1, basis_.data(), n, inverse_.data(), m, 0,
                tableau_.data(), static_cast<int>(stride_));
    work_ += static_cast<double>(n) * m * m;
    for (Index q = 0; q < size; ++q) {
      for (Index p = 0; p < size; ++p) column(q)[n_rows_ + p] = -inverse_[q * size + p];
      for (Index p = 0; p < size; ++p) column(q)[Z_[p]] = p == q ? 1 : 0;
    }
  }
  recompute_values();
  recompute_prices();
  return true;
}

bool Simplex::settle() {
  target_ = x_;
  return refresh();
}

void Simplex::correct_signs() {
  for (Index i = 0; i < n_rows_ + k(); ++i)
    if (values_[i] * costs_[i] < 0) costs_[i] = -costs_[i];
  recompute_prices();
}

/// a_S = B⁻¹ x_Z with one correction by the residual, e = x − A_S a_S.
void Simplex::recompute_values() {
  const Index size = k();
  std::vector<double>& a = weights_;
  a.assign(size, 0.0);
  std::copy(target_.begin(), target_.end(), values_.begin());
  for (int round = 0; round < 2; ++round) {
    row_.assign(size, 0.0);
    for (Index q = 0; q < size; ++q)
      for (Index p = 0; p < size; ++p) row_[p] += inverse_[q * size + p] * values_[Z_[q]];
    for (Index p = 0; p < size; ++p) a[p] += row_[p];
    std::copy(target_.begin(), target_.end(), values_.begin());
    for (Index p = 0; p < size; ++p) move(values_.data(), -a[p], basis_.data() + p * n_rows_, n_rows_);
  }
  for (Index p = 0; p < size; ++p) values_[n_rows_ + p] = a[p];
  for (const int i : Z_) values_[i] = 0;
}

/// y from the signs of the values: y_Z = −Tᵀ s, corrected once by what A_Sᵀ y lacks of price · sign a_S.
void Simplex::recompute_prices() {
  const Index n = n_rows_ + k();
  for (Index i = 0; i < n_rows_; ++i)
    if (place_of_row_[i] < 0) y_[i] = costs_[i];
  for (Index q = 0; q < k(); ++q) y_[Z_[q]] = -dot(column(q), costs_.data(), n);
  row_.resize(k());
  for (Index p = 0; p < k(); ++p) row_[p] = costs_[n_rows_ + p] - dot(atom(S_[p]), y_.data(), n_rows_);
  for (Index q = 0; q < k(); ++q) y_[Z_[q]] -= dot(column(q) + n_rows_, row_.data(), k());
  std::ranges::fill(y_priced_, 0.0);
  std::ranges::fill(g_, 0.0);
  stale_excess_ = std::numeric_limits<double>::infinity();
  work_ += 2 * static_cast<double>(n) * static_cast<double>(k());
}

}  // namespace foldout::l1
