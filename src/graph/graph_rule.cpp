// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "linalg/distance.h"

namespace foldout {
namespace {

using Row = std::vector<std::pair<int, double>>;  // (sample, squared length), nearest first or in order

double cosine(const double* a, const double* b, Index n) {
  const double norms = std::sqrt(dot(a, a, n) * dot(b, b, n));
  return norms > 0 ? std::max(0.0, dot(a, b, n) / norms) : 0;
}

Row nearest_of(const NeighborTable& table, Index i) {
  Row row;
  for (Index j = 0; j < table.k; ++j) {
    const double length = table.distances_of(i)[static_cast<std::size_t>(j)];
    row.emplace_back(table.of(i)[static_cast<std::size_t>(j)], length * length);
  }
  return row;
}

}  // namespace

GraphRows::GraphRows(const Matrix& samples, const GraphRule& rule) : samples_(samples), rule_(rule) {
  const bool by_neighbors = rule.graph == GraphKind::kKnn || rule.graph == GraphKind::kMutual;
  if (by_neighbors) index_ = make_neighbor_index(samples_, rule_.search);
  if (!by_neighbors) distances_.emplace(samples_, rule_.search.metric);
}

GraphRows::~GraphRows() = default;

SparseMatrix GraphRows::weights(const MatrixRef& samples, Tally& tally) const {
  const Index width = samples_.cols();
  const Index n = rule_.search.metric == Metric::kPrecomputed ? samples_.cols() : samples_.rows();
  NeighborTable table;
  Matrix lengths;
  if (index_)
    table = index_->query(samples, rule_.n_neighbors);
  else
    lengths = distances_->squared(samples);

  // Lengths near the radius are computed as for the graph, so that both agree.
  const auto within = [&](Index i, Index j) {
    const double r2 = rule_.radius * rule_.radius, d2 = lengths(i, j);
    if (std::abs(d2 - r2) > 1e-9 * r2) return d2 < r2;
    return distances_->exact(samples.middleRows(i, 1), j) <= rule_.radius;
  };
  const auto row_of = [&](Index i) {
    if (index_) return nearest_of(table, i);
    Row row;
    for (Index j = 0; j < n; ++j)
      if (rule_.graph == GraphKind::kFull || within(i, j)) row.emplace_back(static_cast<int>(j), lengths(i, j));
    if (!row.empty()) return row;
    Index nearest = 0;
    const double d2 = lengths.row(i).minCoeff(&nearest);
    tally.remark("outside_every_ball", "not within the radius of any training sample, joined only to the nearest", i);
    return Row{{static_cast<int>(nearest), d2}};
  };

  SparseMatrix W(samples.rows(), n);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < samples.rows(); ++i) {
    Row row = row_of(i);
    const auto [nearest, shortest] = *std::ranges::min_element(row, {}, &Row::value_type::second);
    double sum = 0;
    for (auto& [j, value] : row) {
      if (rule_.weights == EdgeWeights::kHeat) value = std::exp(-(value - shortest) / rule_.width);
      if (rule_.weights == EdgeWeights::kBinary) value = 1;
      if (rule_.weights == EdgeWeights::kCosine) value = cosine(samples.row(i).data(), samples_.row(j).data(), width);
      sum += value;
    }
    if (sum == 0) {  // possible only with cosine weights
      tally.remark("no_positive_cosine", "no positive cosine with any neighbour, joined only to the nearest", i);
      row = {{nearest, 1.0}};
    }
    for (const auto& [j, value] : row)  // transform() reports NaN, from samples whose squares overflow
      if (!(value <= 0)) entries.emplace_back(static_cast<int>(i), j, value);
  }
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

}  // namespace foldout
