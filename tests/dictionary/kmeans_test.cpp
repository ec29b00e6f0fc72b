// SPDX-License-Identifier: Apache-2.0
#include "foldout/dictionary/kmeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/random.h"
#include "dictionary/improve.h"
#include "dictionary/starting_atoms.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

TEST(Kmeans, FindsWellSeparatedClusters) {
  const Matrix X = dataset::blobs(50, 4, 3, 40);
  const Kmeans fit = fit_kmeans(X, {.n_clusters = 4});
  for (Index i = 0; i < X.rows(); ++i)
    EXPECT_EQ(fit.cluster[static_cast<std::size_t>(i)], fit.cluster[static_cast<std::size_t>(50 * (i / 50))]);
  EXPECT_NE(fit.cluster[0], fit.cluster[50]);
}

// At the end every centre is the mean of its samples, and every sample is assigned to its nearest centre.
TEST(Kmeans, EndsAtAFixedPoint) {
  const Matrix X = Rng(1).normal_matrix(400, 5);
  for (const bool spherical : {false, true}) {
    const Kmeans fit = fit_kmeans(X, {.n_clusters = 7, .spherical = spherical, .restarts = 2});
    EXPECT_FALSE(fit.report.has_note("kmeans_unfinished"));
    Matrix means = Matrix::Zero(7, 5);
    Vector counts = Vector::Zero(7);
    double sum = 0;
    for (Index i = 0; i < X.rows(); ++i) {
      const Eigen::RowVectorXd x = spherical ? Eigen::RowVectorXd(X.row(i).normalized()) : Eigen::RowVectorXd(X.row(i));
      const Index c = fit.cluster[static_cast<std::size_t>(i)];
      means.row(c) += x;
      counts[c] += 1;
      const Vector distances = (fit.centers.rowwise() - x).rowwise().squaredNorm();
      EXPECT_NEAR(distances[c], distances.minCoeff(), 1e-12);
      sum += distances[c];
    }
    for (Index c = 0; c < 7; ++c) means.row(c) /= spherical ? means.row(c).norm() : counts[c];
    EXPECT_LE((means - fit.centers).norm(), 1e-12);
    EXPECT_NEAR(fit.sum_of_squares, sum, 1e-10 * sum);
  }
}

TEST(Kmeans, MoreRestartsAreNeverWorse) {
  const Matrix X = Rng(3).normal_matrix(300, 2);
  const double one = fit_kmeans(X, {.n_clusters = 20, .restarts = 1}).sum_of_squares;
  EXPECT_LE(fit_kmeans(X, {.n_clusters = 20, .restarts = 10}).sum_of_squares, one);
}

TEST(Kmeans, AnEmptyClusterGetsTheFarthestSample) {
  Matrix X(6, 1), centers(3, 1);
  X << 0, 0.1, 0.2, 10, 10.1, 30;
  centers << 0, 11, 1000;
  const Kmeans fit = improve_centers(AllRows(X), centers, 20, false);
  EXPECT_NEAR(fit.centers(2, 0), 30, 1e-12);
  EXPECT_EQ(fit.cluster, (std::vector<int>{0, 0, 0, 1, 1, 2}));
}

TEST(Kmeans, BadAndHardInput) {
  const auto text = [](const Matrix& X, const KmeansOptions& o) {
    return message_of<InvalidArgument>([&] { (void)fit_kmeans(X, o); });
  };
  EXPECT_TRUE(
      contains(text(Matrix::Ones(3, 2), {.n_clusters = 4}), "n_clusters = 4 must be at most the number of samples"));
  EXPECT_TRUE(contains(text(Matrix::Zero(5, 2), {.n_clusters = 2, .spherical = true}), "row 0 has length 0"));
  const Kmeans fit = fit_kmeans(dataset::repeated(dataset::roll(3), 10), {.n_clusters = 8});
  EXPECT_EQ(fit.centers.rows(), 3);
  EXPECT_TRUE(fit.report.has_note("clusters_reduced"));
  EXPECT_LE(fit.sum_of_squares, 1e-20);
}

TEST(Kmeans, IsTheSameOnAnyNumberOfThreads) {
  const Matrix X = Rng(5).normal_matrix(10000, 12);
  const KmeansOptions o{.n_clusters = 30, .restarts = 1, .max_iterations = 5};
  EXPECT_TRUE(dataset::same_bits(fit_kmeans(X, o).centers, fit_kmeans(X, o, {.n_threads = 2}).centers));
}

// The same draws, every sample compared with every candidate.
std::vector<Index> spread_slowly(const Matrix& X, Index count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Index> drawn{static_cast<Index>(rng.below(static_cast<std::uint64_t>(X.rows())))};
  const auto distances = [&](Index j) -> Vector { return (X.rowwise() - X.row(j)).rowwise().squaredNorm(); };
  Vector gaps = distances(drawn[0]);
  while (std::ssize(drawn) < count) {
    std::vector<Index> candidates(4);
    for (Index& candidate : candidates) {
      double left = rng.uniform() * gaps.sum();
      for (candidate = 0; candidate + 1 < X.rows() && (left -= gaps[candidate]) >= 0;) ++candidate;
    }
    const auto left = [&](Index j) { return gaps.cwiseMin(distances(j)).sum(); };
    drawn.push_back(*std::ranges::min_element(candidates, {}, left));
    gaps = gaps.cwiseMin(distances(drawn.back()));
  }
  std::ranges::sort(drawn);
  return drawn;
}

TEST(StartingAtoms, SpreadOutMatchesASlowLoop) {
  for (const Index d : {2, 3, 40}) {
    const Matrix X = Rng(5).normal_matrix(500, d);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      EXPECT_EQ(spread_out(AllRows(X), 60, seed), spread_slowly(X, 60, seed)) << d;
      EXPECT_EQ(spread_out(AllRows(X), 60, seed, {.n_threads = 2}), spread_slowly(X, 60, seed)) << d;
    }
  }
}

// With one draw each, 17 of these 50 starts leave a cluster without a sample.
TEST(StartingAtoms, EveryClusterHasOne) {
  const Matrix X = dataset::blobs(30, 20, 5, 30);
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::set<Index> clusters;
    for (const Index i : spread_out(AllRows(X), 20, seed)) clusters.insert(i / 30);
    missed += clusters.size() < 20 ? 1 : 0;
  }
  EXPECT_LE(missed, 2);
}

TEST(StartingAtoms, AreDistinctSamples) {
  const Matrix X = dataset::repeated(dataset::roll(20), 3);
  for (const DictionaryStart start : {DictionaryStart::kKmeans, DictionaryStart::kSamples}) {
    EXPECT_EQ(starting_atoms(AllRows(X), 12, start, 1).rows(), 12);
    EXPECT_EQ(starting_atoms(AllRows(X), 40, start, 1).rows(), 20);
  }
  EXPECT_EQ(draw_samples(AllRows(X), 7, 1).size(), 7u);
  EXPECT_NE(draw_samples(AllRows(X), 7, 1), draw_samples(AllRows(X), 7, 2));
}

}  // namespace
}  // namespace foldout
