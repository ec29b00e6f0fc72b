// SPDX-License-Identifier: Apache-2.0
// With both sets centred and AᵀB = U S Vᵀ, the best rotation is U Vᵀ and the best scale is tr S / ‖A‖². Residuals are
// computed from the transformed samples, not from 1 − (tr S)²/…, which cancels if they are small; only
// local_procrustes() uses that form.
#include "foldout/evaluate/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "evaluate/checks.h"
#include "foldout/core/error.h"
#include "linalg/svd.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

Matrix padded(const MatrixRef& A, Index width) {
  Matrix wide = Matrix::Zero(A.rows(), width);
  wide.leftCols(A.cols()) = A;
  return wide;
}

// Whether the rows differ by no more than rounding; `centred` is A without its mean.
bool is_one_point(const Matrix& centred, const Eigen::RowVectorXd& mean) {
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(centred.rows());
  return centred.norm() <= rounding * mean.norm();
}

Matrix best_rotation(const Matrix& A, const Matrix& B) {
  const Svd svd = thin_svd(A.transpose() * B);
  return svd.U * svd.V.transpose();
}

double nuclear_norm(const Matrix& M) { return thin_svd(M).s.sum(); }

void require_extent(double norm, std::string_view metric, std::string_view what) {
  if (norm > 0) return;
  throw InvalidArgument(fmt::format("{}: {}, so there is nothing to compare with", metric, what));
}

}  // namespace

Matrix Similarity::apply(const MatrixRef& samples) const {
  const Matrix centred = padded(samples, rotation.rows()).rowwise() - from_mean;
  return (scale * centred * rotation).rowwise() + to_mean;
}

Similarity fit_similarity(const MatrixRef& from, const MatrixRef& to) {
  require_paired(from, to, "similarity");
  const Index width = std::max(from.cols(), to.cols());
  Matrix A = padded(from, width), B = padded(to, width);
  Similarity fit;
  fit.from_mean = A.colwise().mean();
  fit.to_mean = B.colwise().mean();
  A.rowwise() -= fit.from_mean;
  B.rowwise() -= fit.to_mean;
  if (is_one_point(A, fit.from_mean)) {
    fit.rotation = Matrix::Identity(width, width);
    fit.scale = 0;
    return fit;
  }
  const Svd svd = thin_svd(A.transpose() * B);
  fit.rotation = svd.U * svd.V.transpose();
  fit.scale = svd.s.sum() / A.squaredNorm();
  return fit;
}

double procrustes(const MatrixRef& A, const MatrixRef& B) {
  require_paired(A, B, "procrustes");
  const Similarity fit = fit_similarity(A, B);
  const Matrix target = padded(B, fit.rotation.rows()), centred = target.rowwise() - fit.to_mean;
  require_extent(is_one_point(centred, fit.to_mean) ? 0 : 1, "procrustes", "all rows of the second set are the same");
  return std::min(1.0, (target - fit.apply(A)).squaredNorm() / centred.squaredNorm());
}

double alignment(const MatrixRef& A, const MatrixRef& B) {
  require_paired(A, B, "alignment");
  const Index width = std::max(A.cols(), B.cols());
  const Matrix from = padded(A, width), to = padded(B, width);
  require_extent(to.norm(), "alignment", "the second set is zero");
  return (from * best_rotation(from, to) - to).norm() / to.norm();
}

double placement(const MatrixRef& train, const MatrixRef& fresh, const MatrixRef& batch_train,
                 const MatrixRef& batch_fresh) {
  require_paired(train, batch_train, "placement (training rows)");
  require_paired(fresh, batch_fresh, "placement (new rows)");
  if (train.cols() != fresh.cols() || batch_train.cols() != batch_fresh.cols())
    throw InvalidArgument(fmt::format(
        "placement: training and new rows must have equal numbers of columns, but the shapes are {} × {} and "
        "{} × {}, {} × {} and {} × {}",
        train.rows(), train.cols(), fresh.rows(), fresh.cols(), batch_train.rows(), batch_train.cols(),
        batch_fresh.rows(), batch_fresh.cols()));
  const Similarity fit = fit_similarity(train, batch_train);
  const Matrix target = padded(batch_fresh, fit.rotation.rows());
  const double extent = (target.rowwise() - fit.to_mean).norm();
  require_extent(extent, "placement", "all new rows of the batch run lie at the mean of its training rows");
  return (fit.apply(fresh) - target).norm() / extent;
}

double rmse(const MatrixRef& A, const MatrixRef& B) {
  require_paired(A, B, "rmse");
  if (A.cols() != B.cols())
    throw InvalidArgument(fmt::format(
        "rmse: shapes {} × {} and {} × {} must be the same: compare equally many coordinates of the same samples",
        A.rows(), A.cols(), B.rows(), B.cols()));
  return (A - B).norm() / std::sqrt(static_cast<double>(A.rows()));
}

double local_procrustes(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options,
                        const RunContext& context) {
  require_paired(X, Y, "local_procrustes");
  const Index n = X.rows(), k = options.n_neighbors;
  require_neighbors(k, n - 1, n, "local_procrustes");
  const NeighborTable neighbors = nearest_neighbors(X, k, {}, context);
  Vector residuals(n);
  const auto residual_of = [&](Index i) {
    Matrix A(k + 1, X.cols()), B(k + 1, Y.cols());
    A.row(k) = X.row(i);
    B.row(k) = Y.row(i);
    for (Index j = 0; j < k; ++j) {
      A.row(j) = X.row(neighbors.of(i)[static_cast<std::size_t>(j)]);
      B.row(j) = Y.row(neighbors.of(i)[static_cast<std::size_t>(j)]);
    }
    const Eigen::RowVectorXd a_mean = A.colwise().mean(), b_mean = B.colwise().mean();
    A.rowwise() -= a_mean;
    B.rowwise() -= b_mean;
    const bool a_point = is_one_point(A, a_mean), b_point = is_one_point(B, b_mean);
    if (a_point || b_point) return a_point && b_point ? 0.0 : 1.0;
    const double fitted = nuclear_norm(A.transpose() * B);
    return std::clamp(1 - fitted * fitted / (A.squaredNorm() * B.squaredNorm()), 0.0, 1.0);
  };
  parallel_for(
      n, context, [&](Index i) { residuals[i] = residual_of(i); }, "local_procrustes");
  return residuals.mean();
}

}  // namespace foldout
