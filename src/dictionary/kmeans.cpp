// SPDX-License-Identifier: Apache-2.0
// S. Lloyd: Least squares quantization in PCM (1982); the start is k-means++ of D. Arthur and S. Vassilvitskii (2007);
// the spherical variant is that of I. Dhillon and D. Modha (2001).
#include "foldout/dictionary/kmeans.h"
#include "dictionary/improve.h"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "core/check.h"
#include "core/keys.h"
#include "core/random.h"
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

// A sum of the samples of each cluster, with their number in the last column.
Matrix sums_of(const SampleRows& samples, const std::vector<int>& cluster, Index n_clusters,
               const RunContext& context) {
  const Index d = samples.width();
  return sum_over(samples, context,
                  [&](Index begin, Index end) {
                    Matrix part = Matrix::Zero(n_clusters, d + 1);
                    for (Index i = begin; i < end; ++i) {
                      auto sum = part.row(cluster[static_cast<std::size_t>(i)]);
                      sum.head(d) += samples.held().row(i);
                      ++sum[d];
                    }
                    return Sums{std::move(part)};
                  })
      .dense;
}

// The cluster of each of these samples.
std::vector<int> clusters_of(const SampleRows& samples, const std::vector<Ranked>& rows,
                             const std::vector<int>& cluster) {
  std::map<Index, int> found;
  std::vector<double> mine;
  for (const Ranked& sample : rows)
    if (const Index i = sample.row - samples.first(); i >= 0 && i < std::ssize(cluster))
      for (const double value :
           {static_cast<double>(sample.row), static_cast<double>(cluster[static_cast<std::size_t>(i)])})
        mine.push_back(value);
  const std::vector<double> all = samples.gathered(mine);
  for (std::size_t at = 0; at < all.size(); at += 2) found[static_cast<Index>(all[at])] = static_cast<int>(all[at + 1]);
  std::vector<int> result;
  result.reserve(rows.size());
  for (const Ranked& sample : rows) result.push_back(found.at(sample.row));
  return result;
}

// Moves the sample that is farthest from its centre into each empty cluster.
void fill_empty(const SampleRows& samples, Vector counts, std::vector<int>& cluster, const Vector& distances) {
  const std::vector<Ranked> far = largest(samples, distances, counts.size());
  const std::vector<int> from = clusters_of(samples, far, cluster);
  std::size_t next = 0;
  for (Index c = 0; c < counts.size(); ++c) {
    if (counts[c] > 0) continue;
    if (next == far.size()) return;  // every other sample coincides with its centre
    --counts[from[next]];
    ++counts[c];
    const Index i = far[next++].row - samples.first();
    if (i >= 0 && i < std::ssize(cluster)) cluster[static_cast<std::size_t>(i)] = static_cast<int>(c);
  }
}

void move_centers(const SampleRows& samples, bool spherical, const Vector& distances, Kmeans& fit,
                  const RunContext& context) {
  const Index d = samples.width();
  Matrix sums = sums_of(samples, fit.cluster, fit.centers.rows(), context);
  if ((sums.col(d).array() == 0).any()) {
    fill_empty(samples, sums.col(d), fit.cluster, distances);
    sums = sums_of(samples, fit.cluster, fit.centers.rows(), context);
  }
  for (Index c = 0; c < sums.rows(); ++c) {
    const double size = spherical ? length(sums.row(c).data(), d) : sums(c, d);
    if (size > 0) fit.centers.row(c) = sums.row(c).head(d) / size;  // directions that cancel leave the centre
  }
}

// Assigns every sample to its nearest centre; false if no assignment changed.
bool assign(const SampleRows& samples, Kmeans& fit, Vector& distances, const RunContext& context) {
  std::vector<int> cluster;
  distances.resize(samples.held().rows());
  if (distances.size() > 0) {
    NeighborTable nearest = make_neighbor_index(fit.centers)->query(samples.held(), 1, context);
    distances = Eigen::Map<const Vector>(nearest.distances.data(), distances.size());
    cluster = std::move(nearest.indices);
  }
  const Sums sums = sum_over(samples, context, [&](Index begin, Index end) {
    Sums part{Matrix::Zero(1, 2)};
    for (Index i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      part.dense(0, 0) += distances[i] * distances[i];
      if (fit.cluster.empty() || fit.cluster[at] != cluster[at]) ++part.dense(0, 1);
    }
    return part;
  });
  fit.cluster = std::move(cluster);
  fit.sum_of_squares = sums.dense(0, 0);
  fit.sums.push_back(fit.sum_of_squares);
  return sums.dense(0, 1) > 0;
}

}  // namespace

Kmeans improve_centers(const SampleRows& samples, Matrix centers, int max_iterations, bool spherical,
                       const RunContext& context) {
  Kmeans fit;
  fit.centers = std::move(centers);
  Vector distances;
  bool changed = assign(samples, fit, distances, context);
  while (changed && fit.iterations < max_iterations) {
    context.tick("k-means", static_cast<double>(fit.iterations) / max_iterations);
    move_centers(samples, spherical, distances, fit, context);
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

namespace {

// The samples as directions.
std::unique_ptr<SampleRows> directions_of(const SampleRows& samples) {
  auto directions = samples.with(unit_rows(samples.held()));
  require_of_all(samples, [&] {
    for (Index i = 0; i < directions->held().rows(); ++i)
      if (directions->held().row(i).isZero(0))
        throw InvalidRow(samples.first() + i,
                         "has length 0, but spherical k-means compares directions: remove it, or compare distances");
  });
  return directions;
}

}  // namespace

Kmeans fit_kmeans(const MatrixRef& samples, const KmeansOptions& options, const RunContext& context) {
  return fit_kmeans_of(AllRows(samples), options, context);
}

Kmeans fit_kmeans_of(const SampleRows& samples, const KmeansOptions& options, const RunContext& context) {
  KmeansOptions o = options;
  check_fields(fields(o), "kmeans");
  require_of_all(samples, [&] {
    if (samples.held().rows() > 0 || samples.first() == 0) require_samples(samples.held(), 1, "kmeans");
  });
  if (o.n_clusters > samples.size())
    throw InvalidArgument(
        fmt::format("kmeans: n_clusters = {} must be at most the number of samples, {}", o.n_clusters, samples.size()));
  const auto directions = o.spherical ? directions_of(samples) : nullptr;
  const SampleRows& X = directions ? *directions : samples;
  Kmeans best;
  for (int restart = 0; restart < o.restarts; ++restart) {
    const std::uint64_t seed = Rng(o.seed).stream(static_cast<std::uint64_t>(restart)).bits();
    Kmeans fit =
        improve_centers(X, X.rows(spread_out(X, o.n_clusters, seed, context)), o.max_iterations, o.spherical, context);
    if (restart == 0 || fit.sum_of_squares < best.sum_of_squares) best = std::move(fit);
  }
  if (best.centers.rows() < o.n_clusters)
    best.report.note("clusters_reduced",
                     fmt::format("there are only {} distinct samples, and as many clusters", best.centers.rows()));
  return best;
}

}  // namespace foldout
