// SPDX-License-Identifier: Apache-2.0
#include "foldout/extend/mode.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/error.h"
#include "foldout/extend/lvm.h"
#include "support/errors.h"

namespace foldout {
namespace {

// Two separate squares, side by side; their maps are ten times as far apart.
struct Clusters {
  Matrix samples{200, 3}, coordinates{200, 2};

  Clusters() {
    Rng rng(3);
    for (Index i = 0; i < 200; ++i) {
      const double side = i % 2 == 0 ? -1 : 1;
      const double u = rng.uniform(), v = rng.uniform(), w = 0.1 * rng.uniform();
      samples.row(i) << side * 0.7 + u - 0.5, v, w;
      coordinates.row(i) << side * 10 + u, v;
    }
  }
};

Matrix between(Index n) {
  Rng rng(5);
  Matrix fresh(n, 3);
  for (Index i = 0; i < n; ++i) fresh.row(i) << 0.2 * (rng.uniform() - 0.5), rng.uniform(), 0.1 * rng.uniform();
  return fresh;
}

double perplexity_of(const SparseMatrix& codes, Index row) {
  double entropy = 0;
  for (SparseMatrix::InnerIterator it(codes, row); it; ++it) entropy -= it.value() * std::log(it.value());
  return std::exp(entropy);
}

TEST(Mode, PlacesASampleBetweenTwoClustersInOneOfThem) {
  const Clusters data;
  const Matrix fresh = between(50);
  const auto gap = [&](const Matrix& placed) { return placed.col(0).cwiseAbs().minCoeff(); };
  EXPECT_GE(gap(extend_mode(data.samples, data.coordinates)->transform(fresh)), 9);
  EXPECT_LT(gap(extend_lvm(data.samples, data.coordinates, {.n_neighbors = 15})->transform(fresh)), 5);
}

// Without a density, the codes are the weights of the neighbours.
TEST(Mode, WeighsNeighborsWithTheGivenPerplexity) {
  const Clusters data;
  const Matrix fresh = between(9);
  for (const double perplexity : {1.5, 4.0, 8.0, 14.0}) {
    const auto map = extend_mode(data.samples, data.coordinates, {.perplexity = perplexity, .bandwidth = 1e6});
    const SparseMatrix codes = map->codes(fresh);
    for (Index i = 0; i < fresh.rows(); ++i) EXPECT_NEAR(perplexity_of(codes, i), perplexity, 1e-3 * perplexity);
  }
  const auto map = extend_mode(data.samples, data.coordinates, {.perplexity = 15.0, .bandwidth = 1e6});
  EXPECT_NEAR(perplexity_of(map->codes(fresh), 0), 15, 1e-6) << "equal weights";
}

// At a maximum of the density mean shift stays where it is, and no neighbour has a larger density.
TEST(Mode, IsAMaximumOfTheDensity) {
  const Clusters data;
  const Matrix fresh = between(30);
  const ModeOptions wide{.bandwidth = 1e6};
  const SparseMatrix p = extend_mode(data.samples, data.coordinates, wide)->codes(fresh);
  const Extension made = extend_mode(data.samples, data.coordinates);
  const double h = *made.report.find_figure("bandwidth");
  const Matrix placed = made->transform(fresh);
  const auto kernel = [&](const auto& a, const auto& b) { return std::exp(-(a - b).squaredNorm() / (2 * h * h)); };
  for (Index i = 0; i < fresh.rows(); ++i) {
    const auto density = [&](const Eigen::RowVectorXd& y) {
      double sum = 0;
      for (SparseMatrix::InnerIterator it(p, i); it; ++it)
        sum += it.value() * kernel(y, data.coordinates.row(it.col()));
      return sum;
    };
    const Eigen::RowVectorXd y = placed.row(i);
    Eigen::RowVectorXd shifted = Eigen::RowVectorXd::Zero(2);
    for (SparseMatrix::InnerIterator it(p, i); it; ++it) {
      const Eigen::RowVectorXd neighbor = data.coordinates.row(it.col());
      shifted += it.value() * kernel(y, neighbor) * neighbor;
      EXPECT_GE(density(y), density(neighbor) * (1 - 1e-6)) << i;
    }
    EXPECT_LT((shifted / density(y) - y).norm(), 1e-4 * h) << i;
  }
}

TEST(Mode, CodesAreConvexAndGiveTheCoordinates) {
  const Clusters data;
  const Matrix fresh = between(20);
  const auto map = extend_mode(data.samples, data.coordinates);
  const SparseMatrix codes = map->codes(fresh);
  EXPECT_LT((codes * data.coordinates - map->transform(fresh)).norm(), 1e-9);
  for (Index i = 0; i < codes.rows(); ++i) {
    double sum = 0;
    for (SparseMatrix::InnerIterator it(codes, i); it; ++it) {
      EXPECT_GT(it.value(), 0);
      sum += it.value();
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(Mode, GivesDuplicatesTheCoordinatesOfTheFirst) {
  Clusters data;
  data.samples.row(7) = data.samples.row(4);
  const auto map = extend_mode(data.samples, data.coordinates);
  EXPECT_EQ(map->transform(data.samples.row(7)), data.coordinates.row(4));
}

TEST(Mode, HandlesEqualCoordinatesAndTheLargestNumberOfNeighbors) {
  const Clusters data;
  const Matrix fresh = between(5);
  const Matrix same = Matrix::Constant(200, 2, 3.5);
  EXPECT_LT((extend_mode(data.samples, same)->transform(fresh).array() - 3.5).abs().maxCoeff(), 1e-12);
  EXPECT_TRUE(extend_mode(data.samples, data.coordinates, {.n_neighbors = 200})->transform(fresh).allFinite());
  EXPECT_TRUE(extend_mode(data.samples, data.coordinates, {.n_neighbors = 1})->transform(fresh).allFinite());
  const Matrix equal = Matrix::Constant(200, 3, 1.0);
  EXPECT_TRUE(extend_mode(equal, data.coordinates)->transform(fresh).allFinite());
}

TEST(Mode, RefusesAPerplexityThatNeighborsCannotHave) {
  const Clusters data;
  const std::string text = message_of<InvalidArgument>(
      [&] { (void)extend_mode(data.samples, data.coordinates, {.n_neighbors = 5, .perplexity = 6.0}); });
  EXPECT_EQ(text, "mode: perplexity = 6 must be at most n_neighbors = 5: lower it, or raise n_neighbors");
  EXPECT_THROW((void)extend_mode(data.samples, data.coordinates, {.bandwidth = 0}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
