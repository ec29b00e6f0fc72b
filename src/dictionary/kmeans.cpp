// SPDX-License-Identifier: Apache-2.0
// S. Lloyd: Least squares quantization in PCM (1982); the start is k-means++ of D. Arthur and S. Vassilvitskii (2007);
// the spherical variant is that of I. Dhillon and D. Modha (2001).
#include "foldout/dictionary/kmeans.h"
#include "dictionary/improve.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "core/keys.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/rows.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/error.h"
#include "linalg/distance.h"
#include "neighbors/neighbors.h"

namespace foldout {

Fields fields(KmeansOptions& o) {
  static constexpr Key n_clusters{"n_clusters", "number of clusters", "K", 1};
  static constexpr Key spherical{"spherical", "compare directions: samples and centres have length 1"};
  static constexpr Key restarts{"restarts", "number of starts, of which the best is kept", "", 1};
  static constexpr Key max_iterations{"max_iterations", "iterations of each start", "", 1};
  return {{n_clusters, o.n_clusters},
          {spherical, o.spherical},
          {restarts, o.restarts},
          {max_iterations, o.max_iterations},
          {key::seed, o.seed}};
}

namespace {

// The samples of each cluster, in their order.
std::vector<std::vector<Index>> members_of(const std::vector<int>& cluster, Index n_clusters) {
  std::vector<std::vector<Index>> members(static_cast<std::size_t>(n_clusters));
  for (std::size_t i = 0; i < cluster.size(); ++i)
    members[static_cast<std::size_t>(cluster[i])].push_back(static_cast<Index>(i));
  return members;
}

// Moves the sample that is farthest from its centre into each empty cluster.
void fill_empty(std::vector<std::vector<Index>>& members, Kmeans& fit, std::vector<double>& distances) {
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (!members[c].empty()) continue;
    const auto far = static_cast<std::size_t>(std::ranges::max_element(distances) - distances.begin());
    if (!(distances[far] > 0)) return;  // every sample coincides with its centre
    std::erase(members[static_cast<std::size_t>(fit.cluster[far])], static_cast<Index>(far));
    members[c].push_back(static_cast<Index>(far));
    fit.cluster[far] = static_cast<int>(c);
    distances[far] = 0;
  }
}

void move_centers(const MatrixRef& samples, const std::vector<std::vector<Index>>& members, bool spherical,
                  Matrix& centers, const RunContext& context) {
  parallel_for(centers.rows(), context, [&](Index c) {
    const std::vector<Index>& rows = members[static_cast<std::size_t>(c)];
    if (rows.empty()) return;
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(samples.cols());
    for (const Index i : rows) sum += samples.row(i);
    const double size = spherical ? length(sum.data(), sum.size()) : static_cast<double>(rows.size());
    if (size > 0) centers.row(c) = sum / size;  // directions that cancel leave the centre where it was
  });
}

// Assigns every sample to its nearest centre; false if no assignment changed.
bool assign(const MatrixRef& samples, Kmeans& fit, std::vector<double>& distances, const RunContext& context) {
  NeighborTable nearest = make_neighbor_index(fit.centers)->query(samples, 1, context);
  const bool changed = nearest.indices != fit.cluster;
  fit.cluster = std::move(nearest.indices);
  distances = std::move(nearest.distances);
  fit.sum_of_squares = 0;
  for (const double d : distances) fit.sum_of_squares += d * d;
  fit.sums.push_back(fit.sum_of_squares);
  return changed;
}

}  // namespace

Kmeans improve_centers(const MatrixRef& samples, Matrix centers, int max_iterations, bool spherical,
                       const RunContext& context) {
  Kmeans fit;
  fit.centers = std::move(centers);
  std::vector<double> distances;
  bool changed = assign(samples, fit, distances, context);
  while (changed && fit.iterations < max_iterations) {
    context.tick("k-means", static_cast<double>(fit.iterations) / max_iterations);
    auto members = members_of(fit.cluster, fit.centers.rows());
    fill_empty(members, fit, distances);
    move_centers(samples, members, spherical, fit.centers, context);
    ++fit.iterations;
    changed = assign(samples, fit, distances, context);
  }
  if (changed)
    fit.report.note("kmeans_unfinished",
                    fmt::format("k-means stopped after {} iterations while assignments still changed: increase "
                                "max_iterations for full convergence",
                                max_iterations));
  return fit;
}

Kmeans fit_kmeans(const MatrixRef& samples, const KmeansOptions& options, const RunContext& context) {
  KmeansOptions o = options;
  check_fields(fields(o), "kmeans");
  require_samples(samples, 1, "kmeans");
  if (o.n_clusters > samples.rows())
    throw InvalidArgument(
        fmt::format("kmeans: n_clusters = {} must be at most the number of samples, {}", o.n_clusters, samples.rows()));
  const Matrix X = o.spherical ? unit_rows(samples) : Matrix(samples);
  if (o.spherical)
    for (Index i = 0; i < X.rows(); ++i)
      if (X.row(i).isZero(0))
        throw InvalidRow(i, "has length 0, but spherical k-means compares directions: remove it, or compare distances");
  Kmeans best;
  for (int restart = 0; restart < o.restarts; ++restart) {
    const std::uint64_t seed = Rng(o.seed).stream(static_cast<std::uint64_t>(restart)).bits();
    Kmeans fit = improve_centers(X, rows_of(X, spread_out(X, o.n_clusters, seed, context)), o.max_iterations,
                                 o.spherical, context);
    if (restart == 0 || fit.sum_of_squares < best.sum_of_squares) best = std::move(fit);
  }
  if (best.centers.rows() < o.n_clusters)
    best.report.note("clusters_reduced",
                     fmt::format("there are only {} distinct samples, and as many clusters", best.centers.rows()));
  return best;
}

}  // namespace foldout
