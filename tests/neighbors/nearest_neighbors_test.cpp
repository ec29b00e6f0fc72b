// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

using S = NeighborSearch;

// Indices must be equal; distances to a few units in the last place, since they are summed in a different order.
void expect_equal(const NeighborTable& found, const NeighborTable& expected) {
  ASSERT_EQ(found.n, expected.n);
  ASSERT_EQ(found.k, expected.k);
  EXPECT_EQ(found.indices, expected.indices);
  for (std::size_t i = 0; i < found.distances.size(); ++i)
    ASSERT_NEAR(found.distances[i], expected.distances[i], 1e-13 * (1 + expected.distances[i])) << i;
}

class ExactSearch : public testing::TestWithParam<NeighborSearch> {
 protected:
  [[nodiscard]] NeighborOptions options(Metric metric = Metric::kEuclidean) const { return {metric, GetParam(), 0}; }
};

TEST_P(ExactSearch, EqualsTheFullSort) {
  for (const Index d : {1, 2, 3, 10, 11, 40}) {
    const Matrix X = Rng(static_cast<std::uint64_t>(d)).normal_matrix(300, d);
    expect_equal(nearest_neighbors(X, 7, options()), oracle::nearest_others(X, 7));
  }
}

TEST_P(ExactSearch, CrossesItsBlocks) {  // of some hundreds of rows; an even and an odd number of them
  for (const Index n : {1000, 1100, 2100}) {
    const Matrix X = Rng(3).normal_matrix(n, 3);
    expect_equal(nearest_neighbors(X, 3, options()), oracle::nearest_others(X, 3));
  }
  const Matrix X = Rng(4).normal_matrix(2100, 3), Q = Rng(5).normal_matrix(600, 3);
  expect_equal(make_neighbor_index(X, options())->query(Q, 3), oracle::nearest(X, Q, 3));
}

TEST_P(ExactSearch, BreaksTiesByIndex) {
  for (const Matrix& X : {dataset::grid(9, 2), dataset::grid(5, 3), dataset::grid(2, 7)})
    for (const Index k : {1, 2, 4, 5, 9})
      expect_equal(nearest_neighbors(X, k, options()), oracle::nearest_others(X, k));
}

TEST_P(ExactSearch, CountsDuplicatesAsNeighbors) {
  const Matrix X = dataset::repeated(Rng(5).normal_matrix(30, 4), 4);
  for (const Index k : {1, 2, 3, 4, 6}) expect_equal(nearest_neighbors(X, k, options()), oracle::nearest_others(X, k));
}

TEST_P(ExactSearch, HandlesSamplesThatAreAllEqual) {
  const Matrix X = Matrix::Constant(60, 3, 0.1);
  for (const Index k : {1, 20, 59}) expect_equal(nearest_neighbors(X, k, options()), oracle::nearest_others(X, k));
}

TEST_P(ExactSearch, HandlesConstantColumns) {
  Matrix X = Rng(6).normal_matrix(100, 12);
  X.rightCols(9).setConstant(1e6);
  expect_equal(nearest_neighbors(X, 5, options()), oracle::nearest_others(X, 5));
}

TEST_P(ExactSearch, ReturnsAllOthersForTheLargestK) {
  const Matrix X = Rng(7).normal_matrix(40, 3);
  expect_equal(nearest_neighbors(X, 39, options()), oracle::nearest_others(X, 39));
}

TEST_P(ExactSearch, FindsNeighborsFarFromTheOrigin) {
  const Matrix X = Rng(8).normal_matrix(200, 15).array() + 1e7;
  expect_equal(nearest_neighbors(X, 5, options()), oracle::nearest_others(X, 5));
}

TEST_P(ExactSearch, DoesNotDependOnTheUnitOfTheSamples) {  // powers of two change no digit
  const Matrix X = Rng(9).normal_matrix(150, 12);
  const NeighborTable expected = oracle::nearest_others(X, 6);
  for (const int power : {-300, -90, -75, -72, -70, -60, 60, 62, 64, 70, 120, 300, 500})
    EXPECT_EQ(nearest_neighbors(X * std::ldexp(1.0, power), 6, options()).indices, expected.indices) << "2^" << power;
}

TEST_P(ExactSearch, NeverCrashesIfDistancesOverflow) {
  Matrix X = Rng(10).normal_matrix(50, 3);
  X.row(7) *= 1e200;
  X.row(11) *= -1e200;
  try {
    const NeighborTable table = nearest_neighbors(X, 4, options());
    for (const int j : table.indices) ASSERT_TRUE(j >= 0 && j < 50);
  } catch (const InvalidArgument& error) {
    EXPECT_STRNE(error.what(), "");
  } catch (const NumericalError& error) {
    EXPECT_STRNE(error.what(), "");
  }
}

TEST_P(ExactSearch, AnswersQueries) {
  for (const Index d : {3, 20}) {
    const Matrix X = Rng(11).normal_matrix(250, d), Q = Rng(12).normal_matrix(100, d);
    const auto index = make_neighbor_index(X, options());
    expect_equal(index->query(Q, 5), oracle::nearest(X, Q, 5));
    expect_equal(index->query(X, 4), oracle::nearest(X, X, 4));
    expect_equal(index->query(Q, 250), oracle::nearest(X, Q, 250));
  }
}

TEST_P(ExactSearch, AnswersQueriesThatAreFarAway) {
  const Matrix X = Rng(13).normal_matrix(100, 14);
  const auto index = make_neighbor_index(X, options());
  for (const double scale : {1e6, 1e12, 1e25}) {
    const Matrix Q = Rng(14).normal_matrix(9, 14) * scale;
    const NeighborTable table = index->query(Q, 3);
    for (std::size_t i = 0; i < table.indices.size(); ++i) {
      ASSERT_TRUE(table.indices[i] >= 0 && table.indices[i] < 100);
      ASSERT_TRUE(std::isfinite(table.distances[i]));
    }
  }
}

TEST_P(ExactSearch, GivesAQueryTheSameResultInAnyBatch) {
  const Matrix X = Rng(15).normal_matrix(500, 16), Q = Rng(16).normal_matrix(200, 16);
  const auto index = make_neighbor_index(X, options());
  const NeighborTable all = index->query(Q, 6);
  for (const Index i : {0, 1, 63, 191, 192, 199}) {
    const NeighborTable one = index->query(Q.middleRows(i, 1), 6);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(one.of(0)[j], all.of(i)[j]);
      EXPECT_EQ(one.distances_of(0)[j], all.distances_of(i)[j]);  // to the bit
    }
  }
}

TEST_P(ExactSearch, IsTheSameOnTwoThreads) {
  const Matrix X = Rng(17).normal_matrix(900, 12);
  const NeighborTable one = nearest_neighbors(X, 8, options(), {.n_threads = 1});
  const NeighborTable two = nearest_neighbors(X, 8, options(), {.n_threads = 2});
  EXPECT_EQ(one.indices, two.indices);
  EXPECT_EQ(one.distances, two.distances);
}

TEST_P(ExactSearch, RanksByTheCosine) {
  for (const Index d : {3, 20}) {
    const Matrix X = Rng(18).normal_matrix(200, d), Q = Rng(19).normal_matrix(40, d);
    const Matrix scaled = Rng(20).uniform_matrix(200, 1).col(0).array().exp().matrix().asDiagonal() * X;
    expect_equal(nearest_neighbors(X, 5, options(Metric::kCosine)), oracle::nearest_others(X, 5, Metric::kCosine));
    EXPECT_EQ(nearest_neighbors(scaled, 5, options(Metric::kCosine)).indices,
              oracle::nearest_others(X, 5, Metric::kCosine).indices);
    expect_equal(make_neighbor_index(X, options(Metric::kCosine))->query(Q, 5),
                 oracle::nearest(X, Q, 5, Metric::kCosine));
  }
}

TEST_P(ExactSearch, RefusesZeroRowsForTheCosine) {
  Matrix X = Rng(21).normal_matrix(20, 3);
  X.row(13).setZero();
  const std::string text =
      message_of<InvalidArgument>([&] { (void)nearest_neighbors(X, 3, options(Metric::kCosine)); });
  EXPECT_TRUE(contains(text, "row 13 has length 0")) << text;
  EXPECT_TRUE(contains(text, "metric=euclidean")) << text;
}

TEST_P(ExactSearch, ReadsBlocksOfLargerMatrices) {
  const Matrix wide = Rng(22).normal_matrix(120, 9);
  const Matrix copy = wide.block(10, 2, 100, 5);
  EXPECT_EQ(nearest_neighbors(wide.block(10, 2, 100, 5), 4, options()).indices,
            nearest_neighbors(copy, 4, options()).indices);
}

INSTANTIATE_TEST_SUITE_P(Neighbors, ExactSearch, testing::Values(S::kBruteForce, S::kKdTree),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(ApproximateSearch, FindsNearlyAllAndRanksThemExactly) {
  const Matrix X = dataset::lifted_roll(800, 16);
  const NeighborTable expected = oracle::nearest_others(X, 8);
  const NeighborTable found = nearest_neighbors(X, 8, {.search = S::kApproximate});
  Index hits = 0;
  for (Index i = 0; i < found.n; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      hits += std::ranges::find(expected.of(i), found.of(i)[j]) != expected.of(i).end();
      ASSERT_NE(found.of(i)[j], i);
      ASSERT_TRUE(j == 0 || found.distances_of(i)[j - 1] <= found.distances_of(i)[j]);
    }
  EXPECT_GT(hits, found.n * 8 * 98 / 100);
}

TEST(ApproximateSearch, IsTheSameOnEveryRunAndOnTwoThreads) {
  const Matrix X = dataset::lifted_roll(400, 12);
  const NeighborOptions options{.search = S::kApproximate, .seed = 5};
  const NeighborTable one = nearest_neighbors(X, 6, options), again = nearest_neighbors(X, 6, options);
  const NeighborTable two = nearest_neighbors(X, 6, options, {.n_threads = 2});
  EXPECT_EQ(one.indices, again.indices);
  EXPECT_EQ(one.indices, two.indices);
  EXPECT_EQ(one.distances, two.distances);
}

TEST(ApproximateSearch, HandlesDuplicatesEqualsAndTheLargestK) {
  const Matrix duplicates = dataset::repeated(Rng(23).normal_matrix(20, 3), 5), equal = Matrix::Ones(50, 4);
  for (const Matrix& X : {duplicates, equal})
    for (const Index k : {Index{1}, Index{10}, X.rows() - 1}) {
      const NeighborTable table = nearest_neighbors(X, k, {.search = S::kApproximate});
      for (Index i = 0; i < table.n; ++i) {
        std::vector<int> row(table.of(i).begin(), table.of(i).end());
        std::ranges::sort(row);
        EXPECT_EQ(std::ranges::adjacent_find(row), row.end());
        EXPECT_FALSE(std::ranges::binary_search(row, static_cast<int>(i)));
      }
    }
}

TEST(NeighborIndex, ChoosesByDimension) {
  const Matrix low = Rng(1).normal_matrix(20, 10), high = Rng(1).normal_matrix(20, 11);
  EXPECT_EQ(make_neighbor_index(low)->name(), "kd_tree");
  EXPECT_EQ(make_neighbor_index(high)->name(), "brute_force");
  EXPECT_EQ(make_neighbor_index(high, {.search = S::kApproximate})->name(), "approximate");
}

TEST(NeighborIndex, RefusesAKOutOfRange) {
  const Matrix X = Rng(1).normal_matrix(10, 3);
  for (const Index k : {-1, 0, 11}) EXPECT_THROW((void)make_neighbor_index(X)->query(X, k), InvalidArgument) << k;
  for (const Index k : {-1, 0, 10, 11}) EXPECT_THROW((void)nearest_neighbors(X, k), InvalidArgument) << k;
  EXPECT_EQ(message_of<InvalidArgument>([&] { (void)nearest_neighbors(X, 12); }),
            "n_neighbors = 12 must be in 1 … 9, less than n_samples = 10: choose fewer neighbours");
  EXPECT_EQ(message_of<InvalidArgument>([&] { (void)make_neighbor_index(X)->query(X, 11); }),
            "n_neighbors = 11 must be in 1 … 10, the number of samples");
}

TEST(NearestNeighbors, RefusesATableThatDoesNotFitIntoMemory) {
  const Matrix X = Rng(4).normal_matrix(100, 3);
  EXPECT_NO_THROW((void)nearest_neighbors(X, 10, {}, {.memory_limit = 1e5}));
  const auto text = message_of<InvalidArgument>([&] { (void)nearest_neighbors(X, 90, {}, {.memory_limit = 1e5}); });
  EXPECT_TRUE(contains(text, "90 neighbours of each of 100 samples")) << text;
  EXPECT_TRUE(contains(text, "lower n_neighbors")) << text;
}

TEST(NearestNeighbors, CanBeCancelledWhileAnApproximateIndexIsBuilt) {
  const Matrix X = Rng(4).normal_matrix(3000, 12);
  int calls = 0;
  const RunContext context{.progress = [&](const Progress& p) { return p.fraction < 0.2 && ++calls > 0; }};
  EXPECT_THROW((void)nearest_neighbors(X, 5, {.search = NeighborSearch::kApproximate}, context), Cancelled);
  EXPECT_EQ(calls, 3) << "after 768 of 3000 samples";
}

}  // namespace
}  // namespace foldout
