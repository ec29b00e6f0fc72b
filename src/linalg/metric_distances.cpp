// SPDX-License-Identifier: Apache-2.0
#include "linalg/metric_distances.h"

#include <fmt/format.h>

#include <cmath>

#include "core/parallel.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"
#include "linalg/products.h"

namespace foldout {
namespace {

// A constant row has no deviations, except for the rounding of its mean.
void subtract_mean(double* row, Index n) {
  constexpr double kConstant = 1e-14;
  double low = row[0], high = row[0];
  for (Index i = 1; i < n; ++i) {
    low = std::min(low, row[i]);
    high = std::max(high, row[i]);
  }
  const double middle = low / 2 + high / 2;  // sums of deviations from it neither overflow nor cancel
  const bool constant = high / 2 - low / 2 <= kConstant * std::max(std::abs(low), std::abs(high));
  const double mean = lane_sum(n, [=](Index i) { return (row[i] - middle) / static_cast<double>(n); });
  for (Index i = 0; i < n; ++i) row[i] = constant ? 0 : (row[i] - middle) - mean;
}

Matrix plain_distances(const MatrixRef& A, const MatrixRef& B, Metric metric) {
  Matrix D(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) D(i, j) = distance_of(metric, A.row(i).data(), B.row(j).data(), A.cols());
  return D;
}

}  // namespace

Matrix directions(const MatrixRef& samples, Metric metric) {
  if (metric != Metric::kCorrelation) return unit_rows(samples);
  Matrix centered = samples;
  for (Index i = 0; i < centered.rows(); ++i) subtract_mean(centered.row(i).data(), centered.cols());
  return unit_rows(centered);
}

Matrix require_directions(const MatrixRef& samples, Metric metric) {
  Matrix unit = directions(samples, metric);
  for (Index i = 0; i < unit.rows(); ++i)
    if ((unit.row(i).array() == 0).all())
      throw InvalidRow(i, fmt::format("{} with others is not defined: remove it, or use metric=euclidean",
                                      metric == Metric::kCorrelation ? "is constant, so its correlation"
                                                                     : "has length 0, so its cosine"));
  return unit;
}

double distance_of(Metric metric, const double* a, const double* b, Index n) {
  switch (metric) {
    case Metric::kManhattan:
      return manhattan_distance(a, b, n);
    case Metric::kChebyshev:
      return chebyshev_distance(a, b, n);
    case Metric::kCosine:
    case Metric::kCorrelation:
      return squared_distance(a, b, n) / 2;
    case Metric::kEuclidean:
    case Metric::kPrecomputed:
      break;
  }
  return std::sqrt(squared_distance(a, b, n));
}

void require_distance_rows(const MatrixRef& rows) {
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.cols(); ++j)
      if (!(rows(i, j) >= 0))
        throw InvalidRow(
            i, fmt::format("has the distance {} to training sample {}: distances must not be negative", rows(i, j), j));
}

Matrix squared_pair_distances(const MatrixRef& samples, Metric metric, const RunContext& context) {
  if (metric == Metric::kEuclidean) return squared_distances(samples, samples, context);
  if (metric == Metric::kPrecomputed) return samples.array().square();
  if (by_angle(metric)) {
    const Matrix unit = require_directions(samples, metric);
    return (squared_distances(unit, unit, context) / 2).array().square();
  }
  const Index n = samples.rows();
  Matrix D(n, n);
  parallel_for(
      n, context,
      [&](Index i) {
        for (Index j = 0; j < n; ++j)
          D(i, j) = std::pow(distance_of(metric, samples.row(i).data(), samples.row(j).data(), samples.cols()), 2);
      },
      "distances");
  return D;
}

DistancesTo::DistancesTo(const MatrixRef& samples, Metric metric)
    : samples_(samples), metric_(metric), directions_(by_angle(metric) ? directions(samples, metric) : Matrix()) {}

Matrix DistancesTo::squared(const MatrixRef& rows) const {
  if (metric_ == Metric::kEuclidean) return squared_distances(rows, samples_);
  if (by_angle(metric_)) return unit_row_distances(directions(rows, metric_), directions_).array().square();
  if (metric_ == Metric::kPrecomputed) require_distance_rows(rows);
  return (metric_ == Metric::kPrecomputed ? Matrix(rows) : plain_distances(rows, samples_, metric_)).array().square();
}

double DistancesTo::exact(const MatrixRef& row, Index j) const {
  if (metric_ == Metric::kPrecomputed) return row(0, j);
  if (!by_angle(metric_)) return distance_of(metric_, row.data(), samples_.row(j).data(), samples_.cols());
  const Matrix unit = directions(row, metric_);
  return distance_of(metric_, unit.data(), directions_.row(j).data(), unit.cols());
}

}  // namespace foldout
