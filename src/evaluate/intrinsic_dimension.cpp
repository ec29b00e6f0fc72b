// SPDX-License-Identifier: Apache-2.0
// Estimates of the dimension of the manifold that samples lie on, from distances to nearest neighbours. Equal samples
// count once: distances of 0 say nothing about the dimension.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "evaluate/checks.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

Matrix distinct_rows(const MatrixRef& X) {
  std::vector<Index> order(static_cast<std::size_t>(X.rows()));
  std::iota(order.begin(), order.end(), 0);
  const auto row = [&](Index i) { return std::span(X.row(i).data(), static_cast<std::size_t>(X.cols())); };
  const auto before = [&](Index a, Index b) { return std::ranges::lexicographical_compare(row(a), row(b)); };
  const auto equal = [&](Index a, Index b) { return std::ranges::equal(row(a), row(b)); };
  std::ranges::sort(order, before);
  order.erase(std::unique(order.begin(), order.end(), equal), order.end());
  std::ranges::sort(order);  // the order of the samples, so that sums do not depend on their values
  Matrix kept(static_cast<Index>(order.size()), X.cols());
  for (std::size_t i = 0; i < order.size(); ++i) kept.row(static_cast<Index>(i)) = X.row(order[i]);
  return kept;
}

// The distances of every distinct sample to its k nearest others; none of them is 0.
NeighborTable distances_to_nearest(const MatrixRef& X, Index k, std::string_view metric, const RunContext& context) {
  require_paired(X, X, metric);
  const Matrix distinct = distinct_rows(X);
  if (distinct.rows() <= k)
    throw InvalidArgument(
        fmt::format("{} needs more than {} distinct samples, but there are {}", metric, k, distinct.rows()));
  return nearest_neighbors(distinct, k, {}, context);
}

}  // namespace

double intrinsic_dimension(const MatrixRef& X, const NeighborhoodOptions& options, const RunContext& context) {
  const Index k = options.n_neighbors;
  if (k < 2) throw InvalidArgument(fmt::format("intrinsic_dimension: n_neighbors = {} must be at least 2", k));
  const NeighborTable near = distances_to_nearest(X, k, "intrinsic_dimension", context);
  double sum = 0;
  for (Index i = 0; i < near.n; ++i) {
    const auto T = near.distances_of(i);
    for (const double t : T.first(T.size() - 1)) sum += std::log(T.back() / t);
  }
  const double inverse = sum / (static_cast<double>(near.n) * static_cast<double>(k - 1));
  if (!(inverse > 0)) throw NumericalError("intrinsic_dimension: all neighbours are at equal distances");
  return 1 / inverse;
}

double two_neighbor_dimension(const MatrixRef& X, const RunContext& context) {
  const NeighborTable near = distances_to_nearest(X, 2, "two_neighbor_dimension", context);
  std::vector<double> ratios;  // log μ_i
  for (Index i = 0; i < near.n; ++i) ratios.push_back(std::log(near.distances_of(i)[1] / near.distances_of(i)[0]));
  std::ranges::sort(ratios);
  constexpr double kKept = 0.9;  // the largest ratios are those of noise and of the boundary
  const auto n = static_cast<double>(ratios.size());
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kKept * n); ++i) {
    products -= ratios[i] * std::log(1 - static_cast<double>(i + 1) / n);
    squares += ratios[i] * ratios[i];
  }
  if (!(squares > 0)) throw NumericalError("two_neighbor_dimension: both neighbours are at equal distances everywhere");
  return products / squares;
}

}  // namespace foldout
