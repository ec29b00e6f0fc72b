// SPDX-License-Identifier: Apache-2.0
#include "foldout/extend/lle.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

TEST(LleExtension, IsTheSameCombinationOfCoordinates) {
  const Matrix X = dataset::roll(120), Y = Rng(1).normal_matrix(120, 2), fresh = dataset::roll(20, 7);
  const auto map = extend_lle(X, Y, {.n_neighbors = 6});
  const Matrix placed = map->transform(fresh);
  const NeighborTable table = oracle::nearest(X, fresh, 6);
  for (Index i = 0; i < 20; ++i) {
    // The weights of the new sample are those it would have as one more training sample: row 0 of I − W.
    Matrix with(7, 3), coordinates(6, 2);
    with.row(0) = fresh.row(i);
    for (std::size_t j = 0; j < 6; ++j) {
      with.row(static_cast<Index>(j) + 1) = X.row(table.of(i)[j]);
      coordinates.row(static_cast<Index>(j)) = Y.row(table.of(i)[j]);
    }
    ColMatrix G(6, 6);
    for (Index a = 0; a < 6; ++a)
      for (Index b = 0; b < 6; ++b) G(a, b) = (with.row(a + 1) - with.row(0)).dot(with.row(b + 1) - with.row(0));
    G.diagonal().array() += 1e-3 * G.trace();
    const oracle::Pairs pairs = oracle::symmetric_eigenpairs(G);
    Vector w =
        pairs.vectors * (pairs.values.cwiseInverse().asDiagonal() * (pairs.vectors.transpose() * Vector::Ones(6)));
    w /= w.sum();
    EXPECT_LT((placed.row(i) - w.transpose() * coordinates).cwiseAbs().maxCoeff(), 1e-9);
  }
}

// In the plane, three neighbours reconstruct every sample, and an affine function of the samples is continued exactly.
// Their Gram matrix is singular; without regularisation its null vector is the solution.
TEST(LleExtension, ReproducesAffineFunctions) {
  const Matrix X = Rng(2).normal_matrix(200, 2);
  Matrix Y(200, 1);
  Y.col(0) = 3 * X.col(0) - 2 * X.col(1) + Vector::Constant(200, 5.0);
  const Matrix fresh = 0.5 * Rng(3).normal_matrix(30, 2);
  const Vector expected = 3 * fresh.col(0) - 2 * fresh.col(1) + Vector::Constant(30, 5.0);
  for (const double reg : {1e-10, 0.0}) {
    const Matrix placed = extend_lle(X, Y, {.n_neighbors = 3, .reg = reg})->transform(fresh);
    EXPECT_LT((placed.col(0) - expected).cwiseAbs().maxCoeff(), 1e-4) << "reg = " << reg;
  }
}

TEST(LleExtension, GivesDuplicatesTheCoordinatesOfTheFirst) {
  const Matrix X = dataset::repeated(dataset::roll(30), 3), Y = Rng(4).normal_matrix(90, 2);
  const Matrix placed = extend_lle(X, Y, {.n_neighbors = 5})->transform(X);
  for (Index i = 0; i < 90; ++i) EXPECT_TRUE(dataset::same_bits(placed.row(i), Y.row(i / 3 * 3))) << i;
}

// The cosine distance of x and 2x is 0; each must still get its own coordinates.
TEST(LleExtension, IsExactForTrainingSamplesOfTheSameDirection) {
  Matrix X = dataset::roll(40).array() + 20;
  for (Index i = 1; i < 40; i += 2) X.row(i) = 2 * X.row(i - 1);
  const Matrix Y = Rng(5).normal_matrix(40, 2);
  const auto map = extend_lle(X, Y, {.n_neighbors = 5, .metric = Metric::kCosine});
  ASSERT_EQ(map->info().promise, TrainingPromise::kExact);
  EXPECT_LT((map->transform(X) - Y).cwiseAbs().maxCoeff(), 1e-8);
}

// More samples in one direction than neighbours, and a search that may miss some.
TEST(LleExtension, IsExactWhateverTheSearchFinds) {
  Matrix X(60, 12);
  const Matrix directions = Rng(6).uniform_matrix(5, 12);
  for (Index i = 0; i < 60; ++i) X.row(i) = (1 + 0.37 * static_cast<double>(i / 5)) * directions.row(i % 5);
  const Matrix Y = Rng(7).normal_matrix(60, 2);
  for (const NeighborSearch search : {NeighborSearch::kAuto, NeighborSearch::kApproximate})
    for (const Metric metric : {Metric::kEuclidean, Metric::kCosine}) {
      const auto map = extend_lle(X, Y, {.n_neighbors = 3, .metric = metric, .search = search});
      ASSERT_EQ(map->info().promise, TrainingPromise::kExact);
      EXPECT_TRUE(dataset::same_bits(map->transform(X), Y)) << name_of(metric) << " " << name_of(search);
    }
}

TEST(LleExtension, RefusesInvalidInput) {
  const Matrix X = dataset::roll(20), Y = Matrix::Ones(20, 2);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)extend_lle(X, Y.topRows(19)); }), "20 samples, but 19"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)extend_lle(X, Y, {.n_neighbors = 21}); }),
                       "n_neighbors = 21 must be at most n_samples = 20"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)extend_lle(X, Y, {.reg = -1}); }), "reg = -1"));
  Matrix bad = Y;
  bad(3, 1) = std::nan("");
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)extend_lle(X, bad); }), "row 3, column 1"));
}

}  // namespace
}  // namespace foldout
