// SPDX-License-Identifier: Apache-2.0
#include "linalg/dense_pencil.h"

#include <cmath>

#include "linalg/blas.h"
#include "linalg/block_lanczos.h"

namespace foldout {
namespace {

constexpr Index kLeast = 200;  // rows from which the iteration is faster than a dense solver
constexpr Index kPart = 10;    // at most one in ten pairs
constexpr double kConverged = 1e-9;

// X ← L⁻¹ X, or L⁻ᵀ X.
void solve_triangular(const ColMatrix& L, CBLAS_TRANSPOSE transpose, Eigen::Ref<ColMatrix> X) {
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transpose, CblasNonUnit, static_cast<int>(X.rows()),
              static_cast<int>(X.cols()), 1.0, L.data(), static_cast<int>(L.rows()), X.data(),
              static_cast<int>(X.outerStride()));
}

// Y = M X for a symmetric M.
void multiply_symmetric(const Matrix& M, const Eigen::Ref<const ColMatrix>& X, Eigen::Ref<ColMatrix> Y) {
  const int n = static_cast<int>(M.rows());
  cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, n, static_cast<int>(X.cols()), 1.0, M.data(), n, X.data(),
              static_cast<int>(X.outerStride()), 0.0, Y.data(), static_cast<int>(Y.outerStride()));
}

bool solves(const Matrix& A, const Matrix& B, const Eigenpairs& pairs) {
  const double scale = A.norm() / std::sqrt(static_cast<double>(A.rows()));
  ColMatrix AV(A.rows(), pairs.vectors.cols()), BV = AV;
  multiply_symmetric(A, pairs.vectors, AV);
  multiply_symmetric(B, pairs.vectors, BV);
  for (Index j = 0; j < AV.cols(); ++j) {
    const double residual = (AV.col(j) - pairs.values[j] * BV.col(j)).norm();
    if (!(residual <= kConverged * scale * pairs.vectors.col(j).norm())) return false;
  }
  return true;
}

}  // namespace

std::optional<Eigenpairs> smallest_of_pencil(const Matrix& A, const Matrix& B, Index k, const RunContext& context) {
  const Index n = A.rows();
  if (n < kLeast || k > n / kPart) return {};
  const BlasGuard guard;
  ColMatrix L = A;
  const int order = static_cast<int>(n);
  int info = 0;
  dpotrf_("L", &order, L.data(), &order, &info);
  if (info != 0) return {};
  ColMatrix T;
  const BlockProduct product = [&](const Eigen::Ref<const ColMatrix>& X, Eigen::Ref<ColMatrix> Y) {
    T = X;
    solve_triangular(L, CblasTrans, T);
    multiply_symmetric(B, T, Y);
    solve_triangular(L, CblasNoTrans, Y);
  };
  constexpr Index kBlock = 8;  // the factor is read once for so many columns
  EigenOptions options{.n_pairs = k, .tolerance = 1e-10};
  auto found = block_lanczos(product, ColMatrix(n, 0), kBlock, options, context);
  if (!found || !(found->values.minCoeff() > 0)) return {};
  solve_triangular(L, CblasTrans, found->vectors);
  found->vectors *= found->values.cwiseSqrt().cwiseInverse().asDiagonal();
  found->values = found->values.cwiseInverse();
  if (!solves(A, B, *found)) return {};
  return found;
}

}  // namespace foldout
