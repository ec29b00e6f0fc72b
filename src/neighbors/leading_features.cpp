// SPDX-License-Identifier: Apache-2.0
#include "neighbors/leading_features.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"
#include "linalg/distance.h"
#include "linalg/eigenpairs.h"
#include "linalg/products.h"

namespace foldout {
namespace {

constexpr Index kLearning = 512, kTargets = 512, kQueries = 32;  // samples of the trial
constexpr std::array<Index, 4> kNumbers{8, 16, 32, 64};          // of leading features
// Measured: an exact distance costs as much per feature as the products of so many samples, and looking at a bound as
// much as so many features.
constexpr double kExact = 48, kLook = 6;
constexpr double kWorthIt = 0.7;

Matrix every(const MatrixRef& samples, Index first, Index count, const Eigen::RowVectorXd& center, double scale) {
  Matrix rows(count, samples.cols());
  const Index n = samples.rows(), step = n / (kLearning + kTargets);
  for (Index i = 0; i < count; ++i) rows.row(i) = samples.row((first + i) * step) * scale - center;
  return rows;
}

Matrix orthonormal(const ColMatrix& A) {
  const Eigen::HouseholderQR<ColMatrix> qr(A);
  ColMatrix Q = ColMatrix::Identity(A.rows(), A.cols());
  Q.applyOnTheLeft(qr.householderQ());
  return Q;
}

// Those of the largest variance, in this order, nearly: by two steps of subspace iteration. Directions of hardly any
// variance are left out.
Matrix principal_directions(const Matrix& X, Index count) {
  constexpr int kSteps = 2;
  constexpr double kLeastVariance = 1e-6;
  Matrix V = Rng(0).normal_matrix(X.cols(), count);
  for (int step = 0; step < kSteps; ++step) V = orthonormal(transposed_multiply(X, multiply(X, V)));
  const Matrix scores = multiply(X, V);
  const Eigenpairs pairs = all_eigenpairs(transposed_multiply(scores, scores));  // ascending
  const double least = kLeastVariance * pairs.values[count - 1];
  Index kept = 0;
  while (kept < count && pairs.values[count - 1 - kept] > least) ++kept;
  return V * pairs.vectors.rightCols(kept).rowwise().reverse();
}

// Which part of the targets the bound from the first `count` features leaves as candidates for the nearest one.
double part_left(const Matrix& exact, const Matrix& projected, const Vector& norms, Index count) {
  Vector rest = norms - projected.leftCols(count).rowwise().squaredNorm();
  rest = rest.cwiseMax(0.0).cwiseSqrt();
  Index left = 0;
  for (Index q = 0; q < kQueries; ++q) {
    double nearest = std::numeric_limits<double>::infinity();
    for (Index t = kQueries; t < exact.cols(); ++t) nearest = std::min(nearest, exact(q, t));
    for (Index t = kQueries; t < exact.cols(); ++t) {
      const double product = projected.row(q).head(count).dot(projected.row(t).head(count)) + rest[q] * rest[t];
      if (norms[q] + norms[t] - 2 * product <= nearest) ++left;
    }
  }
  return static_cast<double>(left) / static_cast<double>(kQueries * (exact.cols() - kQueries));
}

}  // namespace

std::optional<LeadingFeatures> LeadingFeatures::find(const MatrixRef& samples, const Eigen::RowVectorXd& center,
                                                     double scale) {
  constexpr Index kLeastFeatures = 64;
  const auto d = static_cast<double>(samples.cols());
  if (samples.cols() < kLeastFeatures || samples.rows() < 2 * (kLearning + kTargets)) return {};
  Matrix directions = principal_directions(every(samples, 0, kLearning, center, scale), kNumbers.back());
  const Matrix others = every(samples, kLearning, kTargets, center, scale);
  const Matrix projected = multiply(others, directions), exact = squared_distances(others.topRows(kQueries), others);
  const Vector norms = others.rowwise().squaredNorm();
  double least = kWorthIt * (d + kLook);
  Index best = 0;
  for (const Index count : kNumbers) {
    if (count > directions.cols()) break;
    const double cost = static_cast<double>(count) + kLook + kExact * d * part_left(exact, projected, norms, count);
    if (cost < least) least = cost, best = count;
  }
  if (best == 0) return {};
  return LeadingFeatures(Matrix(directions.leftCols(best)));
}

Matrix LeadingFeatures::of(const MatrixRef& samples) const {
  const Index count = directions_.cols();
  Matrix features(samples.rows(), count + 1);
  features.leftCols(count) = multiply(samples, directions_);
  for (Index i = 0; i < samples.rows(); ++i) {
    const double* x = samples.row(i).data();
    const double* leading = features.row(i).data();
    features(i, count) = std::sqrt(std::max(0.0, dot(x, x, samples.cols()) - dot(leading, leading, count)));
  }
  return features;
}

}  // namespace foldout
