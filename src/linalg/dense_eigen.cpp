// SPDX-License-Identifier: Apache-2.0
// Dense symmetric eigenproblems: dsyevd for all pairs, dsyevr for some.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "foldout/core/error.h"
#include "linalg/blas.h"
#include "linalg/eigenpairs.h"

namespace foldout {
namespace {

// Entries within one part in 1e9 of the largest count as equal to it: rounding must not decide between them.
constexpr double kTie = 1e-9;

// The last resort: slow, but its QR iteration has not been seen to fail.
void solve_by_qr(ColMatrix& A, Vector& values) {
  const Eigen::SelfAdjointEigenSolver<ColMatrix> solver(A);
  if (solver.info() != Eigen::Success)
    throw NumericalError("no dense eigensolver converged: scale the samples, for example with the step standardize");
  A = solver.eigenvectors();
  values = solver.eigenvalues();
}

// Replaces A by all eigenvectors; `values` ascending.
void solve_all(ColMatrix& A, Vector& values) {
  const int n = static_cast<int>(A.rows());
  const ColMatrix original = A;
  values.resize(n);
  int info = 0, lwork = -1, liwork = -1, integer_size = 0;
  double size = 0;
  const BlasGuard guard;
  dsyevd_("V", "L", &n, A.data(), &n, values.data(), &size, &lwork, &integer_size, &liwork, &info);
  lwork = static_cast<int>(size);
  liwork = integer_size;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  dsyevd_("V", "L", &n, A.data(), &n, values.data(), work.data(), &lwork, iwork.data(), &liwork, &info);
  if (info == 0 && A.allFinite()) return;
  A = original;
  solve_by_qr(A, values);
}

void require_range(const ColMatrix& A) {
  if (A.allFinite()) return;
  throw NumericalError(
      "an eigenproblem has entries beyond the range of double precision: divide the samples by a constant");
}

double residual_of(const ColMatrix& A, const Eigenpairs& pairs) {
  const double scale = std::max(A.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());  // against overflow
  const double norm = std::max((A / scale).norm() / std::sqrt(static_cast<double>(A.rows())), 1e-300);
  const BlasGuard guard;
  const int n = static_cast<int>(A.rows()), k = static_cast<int>(pairs.values.size());
  ColMatrix AV(n, k);
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, k, 1.0, A.data(), n, pairs.vectors.data(), n, 0.0, AV.data(), n);
  return ((AV - pairs.vectors * pairs.values.asDiagonal()) / scale).colwise().norm().maxCoeff() / norm;
}

}  // namespace

void fix_signs(Eigen::Ref<ColMatrix> vectors) {
  for (Index j = 0; j < vectors.cols(); ++j) {
    const double largest = vectors.col(j).cwiseAbs().maxCoeff();
    for (Index i = 0; i < vectors.rows(); ++i)
      if (std::abs(vectors(i, j)) >= largest * (1 - kTie)) {
        if (vectors(i, j) < 0) vectors.col(j) *= -1;
        break;
      }
  }
}

Eigenpairs all_eigenpairs(ColMatrix A) {
  Eigenpairs pairs;
  pairs.solver = "dense";
  if (A.rows() == 0) return pairs;
  require_range(A);
  const ColMatrix original = A;
  solve_all(A, pairs.values);
  pairs.vectors = std::move(A);
  fix_signs(pairs.vectors);
  pairs.residual = residual_of(original, pairs);
  return pairs;
}

Eigenpairs some_eigenpairs(ColMatrix A, Index first, Index last) {
  const int n = static_cast<int>(A.rows()), il = static_cast<int>(first) + 1, iu = static_cast<int>(last) + 1;
  Eigenpairs pairs;
  pairs.solver = "dense";
  if (last < first) return pairs;
  require_range(A);
  const ColMatrix original = A;
  const Index k = last - first + 1;
  pairs.vectors.resize(n, k);
  Vector values(n);
  int found = 0, info = 0, lwork = -1, liwork = -1, integer_size = 0;
  double size = 0;
  const double zero = 0;
  std::vector<int> support(2 * static_cast<std::size_t>(k));
  const BlasGuard guard;
  const auto call = [&](double* work, int* iwork) {
    dsyevr_("V", "I", "L", &n, A.data(), &n, &zero, &zero, &il, &iu, &zero, &found, values.data(), pairs.vectors.data(),
            &n, support.data(), work, &lwork, iwork, &liwork, &info);
  };
  call(&size, &integer_size);
  lwork = static_cast<int>(size);
  liwork = integer_size;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  call(work.data(), iwork.data());
  pairs.values = values.head(k);
  pairs.residual = info == 0 && found == k ? residual_of(original, pairs) : std::numeric_limits<double>::infinity();
  // On matrices with many equal eigenvalues dsyevr loses some of them, or their vectors.
  constexpr double kSound = 1e-10;
  const ColMatrix gram = pairs.vectors.transpose() * pairs.vectors;
  if (!(pairs.residual <= kSound) || !(gram - ColMatrix::Identity(k, k)).isZero(kSound)) {
    A = original;
    solve_all(A, values);
    pairs.values = values.segment(first, k);
    pairs.vectors = A.middleCols(first, k);
    pairs.residual = residual_of(original, pairs);
  }
  fix_signs(pairs.vectors);
  return pairs;
}

void small_eigen(ColMatrix& A, Vector& values) {
  thread_local Eigen::SelfAdjointEigenSolver<ColMatrix> solver;
  solver.compute(A);
  if (solver.info() != Eigen::Success) throw NumericalError("the eigenvectors of a local system did not converge");
  A = solver.eigenvectors();
  values = solver.eigenvalues();
}

}  // namespace foldout
