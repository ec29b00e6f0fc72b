// SPDX-License-Identifier: Apache-2.0
// With G = ΦᵀΦ = QΛQᵀ and P = ΦQ: V = Q(Λ+λ)⁻¹PᵀY, and the leave-one-out error of sample i is r_i/(1 − h_i),
// h_i = Σ_k P_ik²/(Λ_k+λ). With more features than samples, from G = ΦΦᵀ: α = (G+λ)⁻¹Y, V = Φᵀα, and the error is
// α_i/[(G+λ)⁻¹]_ii.
#include "linalg/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/blas.h"
#include "linalg/eigenpairs.h"
#include "linalg/products.h"
#include "linalg/svd.h"

namespace foldout {
namespace {

constexpr double kRank = 1e-12;

struct Spectrum {
  Vector values;  // of G, none negative
  Matrix Q;
  Index rank = 0;
  double scale = 0;  // tr(G)/rank

  explicit Spectrum(const Matrix& G) {
    const Eigenpairs pairs = all_eigenpairs(G);
    values = pairs.values.cwiseMax(0);
    Q = pairs.vectors;
    const double largest = values.size() > 0 ? values[values.size() - 1] : 0;
    rank = largest > 0 ? static_cast<Index>((values.array() > kRank * largest).count()) : 0;
    scale = rank > 0 ? values.sum() / static_cast<double>(rank) : 1;
  }
  // 1/(Λ+λ); 0 for values at rounding level.
  [[nodiscard]] Vector inverse(double lambda) const {
    const double floor = values.size() > 0 ? kRank * values[values.size() - 1] : 0;
    return values.unaryExpr([=](double v) { return v + lambda > floor ? 1 / (v + lambda) : 0.0; });
  }
};

double relative_norm(const Matrix& errors, const MatrixRef& Y) {
  const double size = Y.norm();
  return size > 0 ? errors.norm() / size : errors.norm();
}

// The λ with the smallest error(λ), relative to the scale of the spectrum.
template <class Error>
double choose_ridge(const Spectrum& spectrum, Error error) {
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (int half_decade = 2; half_decade >= -18; --half_decade) {
    const double ridge = std::pow(10.0, half_decade / 2.0), e = error(ridge * spectrum.scale);
    if (e < least * (1 - 1e-9)) {
      least = e;
      best = ridge;
    }
  }
  return best;
}

RidgeFit by_features(const MatrixRef& Phi, const MatrixRef& Y, std::optional<double> ridge) {
  const Spectrum spectrum(transposed_multiply(Phi, Phi));
  const Matrix P = multiply(Phi, spectrum.Q), C = transposed_multiply(P, Y);
  const auto errors = [&](double lambda) {
    const Vector inverse = spectrum.inverse(lambda);
    Matrix residual = Y - multiply(P, inverse.asDiagonal() * C);
    for (Index i = 0; i < residual.rows(); ++i) {
      const double left = 1 - P.row(i).cwiseAbs2() * inverse;
      residual.row(i) /= std::max(left, 1e-12);
    }
    return relative_norm(residual, Y);
  };
  RidgeFit fit{.V = {}, .ridge = ridge ? *ridge : choose_ridge(spectrum, errors), .rank = spectrum.rank};
  const double lambda = fit.ridge * spectrum.scale;
  fit.V = multiply(spectrum.Q, spectrum.inverse(lambda).asDiagonal() * C);
  fit.leave_one_out = errors(lambda);
  return fit;
}

RidgeFit by_samples(const MatrixRef& Phi, const MatrixRef& Y, std::optional<double> ridge) {
  const Spectrum spectrum(multiply_transposed(Phi, Phi));
  const Matrix C = transposed_multiply(spectrum.Q, Y);
  const auto alpha = [&](double lambda) { return multiply(spectrum.Q, spectrum.inverse(lambda).asDiagonal() * C); };
  const auto errors = [&](double lambda) {
    const Vector inverse = spectrum.inverse(lambda);
    Matrix error = alpha(lambda);
    for (Index i = 0; i < error.rows(); ++i) {
      const double diagonal = spectrum.Q.row(i).cwiseAbs2() * inverse;
      error.row(i) /= std::max(diagonal, std::numeric_limits<double>::min());
    }
    return relative_norm(error, Y);
  };
  RidgeFit fit{.V = {}, .ridge = ridge ? *ridge : choose_ridge(spectrum, errors), .rank = spectrum.rank};
  const double lambda = fit.ridge * spectrum.scale;
  fit.V = transposed_multiply(Phi, alpha(lambda));
  fit.leave_one_out = errors(lambda);
  return fit;
}

RidgeFit least_norm(const MatrixRef& Phi, const MatrixRef& Y) {
  const Svd svd = thin_svd(Phi);
  RidgeFit fit{.V = {}, .ridge = 0, .rank = svd.rank(kRank)};
  const Matrix U = svd.U.leftCols(fit.rank), W = svd.V.leftCols(fit.rank);
  const Matrix C = transposed_multiply(U, Y);
  fit.V = multiply(W, svd.s.head(fit.rank).cwiseInverse().asDiagonal() * C);
  Matrix residual = Y - multiply(U, C);
  for (Index i = 0; i < residual.rows(); ++i) residual.row(i) /= std::max(1 - U.row(i).squaredNorm(), 1e-12);
  fit.leave_one_out = relative_norm(residual, Y);
  return fit;
}

// An estimate of the reciprocal condition number: the squared ratio of the smallest and largest Cholesky pivot.
double pivot_ratio(const ColMatrix& factor) {
  const double ratio = factor.diagonal().minCoeff() / factor.diagonal().maxCoeff();
  return ratio * ratio;
}

}  // namespace

RidgeFit ridge_regression(const MatrixRef& Phi, const MatrixRef& Y, std::optional<double> ridge) {
  if (ridge && *ridge == 0) return least_norm(Phi, Y);
  return Phi.cols() <= Phi.rows() ? by_features(Phi, Y, ridge) : by_samples(Phi, Y, ridge);
}

SymmetricSolution solve_positive_definite(const MatrixRef& K, const MatrixRef& Y, double shift) {
  const int n = static_cast<int>(K.rows()), m = static_cast<int>(Y.cols());
  ColMatrix factor = K, V = Y;
  factor.diagonal().array() += shift;
  int info = 0;
  {
    const BlasGuard guard;
    dpotrf_("L", &n, factor.data(), &n, &info);
    if (info == 0 && pivot_ratio(factor) > 1e-15) {
      dpotrs_("L", &n, &m, factor.data(), &n, V.data(), &n, &info);
      return {V, K.rows()};
    }
  }
  Matrix shifted = K;
  shifted.diagonal().array() += shift;
  return solve_truncated(shifted, Y, kRank);
}

SymmetricSolution solve_truncated(const MatrixRef& K, const MatrixRef& Y, double tolerance) {
  const Eigenpairs pairs = all_eigenpairs(K);
  const Matrix Q = pairs.vectors;
  const double floor = tolerance * pairs.values.cwiseAbs().maxCoeff();
  const Vector inverse = pairs.values.unaryExpr([=](double v) { return std::abs(v) > floor ? 1 / v : 0.0; });
  return {multiply(Q, inverse.asDiagonal() * transposed_multiply(Q, Y)),
          static_cast<Index>((inverse.array() != 0).count())};
}

}  // namespace foldout
