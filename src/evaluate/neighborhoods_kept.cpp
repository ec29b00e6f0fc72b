// SPDX-License-Identifier: Apache-2.0
// Ranks are exact: distances come from blocked products ‖x‖² + ‖y‖² − 2xᵀy, and the few that rounding leaves undecided
// are compared again by squared_distance, with ties broken by index, as in the neighbour search.
#include "foldout/evaluate/metrics.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "evaluate/checks.h"
#include "linalg/distance.h"
#include "linalg/products.h"
#include "neighbors/neighbors.h"

namespace foldout {
namespace {

constexpr Index kBlock = 64;

class RankCounter {
 public:
  explicit RankCounter(const MatrixRef& X)
      : X_(X),
        centred_(X.rowwise() - X.colwise().mean()),
        norms_(centred_.rowwise().squaredNorm()),
        doubt_(4 * std::numeric_limits<double>::epsilon() * static_cast<double>(X.cols() + 2) * norms_.maxCoeff()) {}

  /// ‖x_j‖² − 2x_iᵀx_j for the rows i of a block and all j: squared distances without ‖x_i‖².
  [[nodiscard]] Matrix distances(Index begin, Index end) const {
    Matrix block = -2 * multiply_transposed(centred_.middleRows(begin, end - begin), centred_);
    block.rowwise() += norms_.transpose();
    return block;
  }

  /// The rank of j ≠ i among the other samples by distance from i; the nearest has rank 1. `distances` is i's row of
  /// the block.
  [[nodiscard]] Index rank(Index i, Index j, const double* distances) const {
    const double low = distances[j] - doubt_, high = distances[j] + doubt_;
    Index below = 0, up_to = 0;
    for (Index l = 0; l < X_.rows(); ++l) {
      below += distances[l] < low;
      up_to += distances[l] <= high;
    }
    below -= distances[i] < low;
    up_to -= distances[i] <= high;
    return 1 + below + (up_to - below == 1 ? 0 : nearer_in_doubt(i, j, distances, low, high));  // 1: j itself
  }

 private:
  [[nodiscard]] Index nearer_in_doubt(Index i, Index j, const double* distances, double low, double high) const {
    const auto exact = [&](Index l) { return squared_distance(X_.row(i).data(), X_.row(l).data(), X_.cols()); };
    const double to_j = exact(j);
    Index nearer = 0;
    for (Index l = 0; l < X_.rows(); ++l) {
      if (l == i || l == j || distances[l] < low || distances[l] > high) continue;
      const double to_l = exact(l);
      nearer += to_l < to_j || (to_l == to_j && l < j);
    }
    return nearer;
  }

  MatrixRef X_;
  Matrix centred_;
  Vector norms_;
  double doubt_;
};

// Σ_i Σ_j max(0, r(i, j) − k) over the k nearest j of i in Y, ranks r in X. Whole numbers: exact in any order.
Index intrusion(const MatrixRef& X, const MatrixRef& Y, Index k, const RunContext& context) {
  const NeighborTable neighbors = nearest_neighbors(Y, k, {}, context);
  const RankCounter counter(X);
  std::vector<Index> sums(static_cast<std::size_t>((X.rows() + kBlock - 1) / kBlock), 0);
  parallel_blocks(
      X.rows(), kBlock, context,
      [&](Index begin, Index end) {
        const Matrix distances = counter.distances(begin, end);
        Index& sum = sums[static_cast<std::size_t>(begin / kBlock)];
        for (Index i = begin; i < end; ++i)
          for (const int j : neighbors.of(i))
            sum += std::max<Index>(0, counter.rank(i, j, distances.row(i - begin).data()) - k);
      },
      "ranks");
  Index total = 0;
  for (const Index sum : sums) total += sum;
  return total;
}

double trust(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options, const RunContext& context,
             std::string_view metric) {
  require_paired(X, Y, metric);
  const Index n = X.rows(), k = options.n_neighbors;
  require_neighbors(k, (n - 1) / 2, n, metric);
  const double worst = 0.5 * static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(2 * n - 3 * k - 1);
  return 1 - static_cast<double>(intrusion(X, Y, k, context)) / worst;
}

}  // namespace

double trustworthiness(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options,
                       const RunContext& context) {
  return trust(X, Y, options, context, "trustworthiness");
}

double continuity(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options,
                  const RunContext& context) {
  return trust(Y, X, options, context, "continuity");
}

double neighbor_overlap(const MatrixRef& X, const MatrixRef& Y, const NeighborhoodOptions& options,
                        const RunContext& context) {
  require_paired(X, Y, "neighbor_overlap");
  const Index n = X.rows(), k = options.n_neighbors;
  require_neighbors(k, n - 1, n, "neighbor_overlap");
  const NeighborTable in_x = nearest_neighbors(X, k, {}, context), in_y = nearest_neighbors(Y, k, {}, context);
  Index shared = 0;
  for (Index i = 0; i < n; ++i)
    for (const int j : in_x.of(i)) shared += std::ranges::count(in_y.of(i), j);
  return static_cast<double>(shared) / (static_cast<double>(n) * static_cast<double>(k));
}

}  // namespace foldout
