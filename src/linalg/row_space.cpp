// SPDX-License-Identifier: Apache-2.0
// The eigenvectors of AᵀA take products and a small eigenproblem, a fraction of the time of a singular value
// decomposition, but have only half the digits: they determine directions whose singular values are above 1e-4 of the
// largest. A restricted to the other directions, an accurate product, is decomposed in the same way, and so on.
#include "linalg/row_space.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "linalg/blas.h"
#include "linalg/eigenpairs.h"
#include "linalg/products.h"
#include "linalg/svd.h"

namespace foldout {
namespace {

constexpr Index kLarge = 200;       // columns; of fewer, a singular value decomposition takes no time
constexpr double kResolved = 1e-4;  // of the largest singular value

// For at least as many rows as columns, if those are many.
RowSpace of_tall(const MatrixRef& A, double tolerance, double least, const RunContext& context) {
  const Index d = A.cols();
  if (std::min(A.rows(), d) < kLarge) {
    const Svd svd = thin_svd(A);
    const Index r = svd.rank(tolerance, least);
    return {svd.U.leftCols(r), svd.s.head(r), svd.V.leftCols(r)};
  }
  const Eigenpairs pairs = all_eigenpairs(symmetric_product(A, A, context));  // ascending
  const Vector s = pairs.values.reverse().cwiseMax(0).cwiseSqrt();
  const Matrix vectors = pairs.vectors.rowwise().reverse();
  const double negligible = std::max(tolerance * s[0], least);
  const auto r = static_cast<Index>((s.array() > std::max(kResolved * s[0], negligible)).count());
  RowSpace space{Matrix(), s.head(r), vectors.leftCols(r)};
  if (r == 0) return {Matrix(A.rows(), 0), Vector(), Matrix(d, 0)};
  space.U = multiply(A, space.V * space.s.cwiseInverse().asDiagonal(), context);
  if (r == d) return space;
  const Matrix others = vectors.rightCols(d - r), left = multiply(A, others, context);
  if (left.norm() <= negligible) return space;
  const RowSpace more = of_tall(left, 0, negligible, context);
  const Index all = r + more.s.size();
  RowSpace both{Matrix(A.rows(), all), Vector(all), Matrix(d, all)};
  both.U << space.U, more.U;
  both.s << space.s, more.s;
  both.V << space.V, multiply(others, more.V, context);
  return both;
}

// Aᵀ = Q R with orthonormal Q, stored by columns; returns Q and A Q = Rᵀ.
std::pair<ColMatrix, Matrix> orthonormal_rows(const MatrixRef& A) {
  ColMatrix Q = A.transpose();
  const int d = static_cast<int>(Q.rows()), n = static_cast<int>(Q.cols());
  Vector tau(n);
  int info = 0, lwork = -1;
  double size = 0;
  const BlasGuard guard;
  dgeqrf_(&d, &n, Q.data(), &d, tau.data(), &size, &lwork, &info);
  lwork = static_cast<int>(size);
  std::vector<double> work(static_cast<std::size_t>(lwork));
  dgeqrf_(&d, &n, Q.data(), &d, tau.data(), work.data(), &lwork, &info);
  Matrix Rt = Matrix::Zero(n, n);
  Rt.triangularView<Eigen::Lower>() = Q.topRows(n).transpose();
  lwork = -1;
  dorgqr_(&d, &n, &n, Q.data(), &d, tau.data(), &size, &lwork, &info);
  lwork = static_cast<int>(size);
  work.resize(static_cast<std::size_t>(lwork));
  dorgqr_(&d, &n, &n, Q.data(), &d, tau.data(), work.data(), &lwork, &info);
  return {std::move(Q), std::move(Rt)};
}

}  // namespace

RowSpace row_space(const MatrixRef& A, double tolerance, double least, const RunContext& context) {
  constexpr double kSmallest = 1e-100, kLargest = 1e100;  // squares of such entries still have all their digits
  const double size = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0;
  if (size > 0 && std::isfinite(size) && (size < kSmallest || size > kLargest)) {
    const double unit = std::ldexp(1.0, std::ilogb(size));
    RowSpace space = row_space(A / unit, tolerance, least / unit, context);
    space.s *= unit;
    return space;
  }
  if (A.rows() >= A.cols() || A.rows() < kLarge) return of_tall(A, tolerance, least, context);
  const auto [Q, Rt] = orthonormal_rows(A);
  RowSpace space = of_tall(Rt, tolerance, least, context);
  space.V = multiply(Matrix(Q), space.V, context);
  return space;
}

}  // namespace foldout
