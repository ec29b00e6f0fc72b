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

class NeighborsWithin : public testing::TestWithParam<NeighborSearch> {
 protected:
  void expect_oracle(const Matrix& X, double radius, Metric metric = Metric::kEuclidean) const {
    const NeighborLists lists = neighbors_within(X, radius, {metric, GetParam(), 0});
    const NeighborTable all = oracle::nearest_others(X, X.rows() - 1, metric);
    ASSERT_EQ(lists.size(), static_cast<std::size_t>(X.rows()));
    for (Index i = 0; i < X.rows(); ++i) {
      std::size_t count = 0;
      while (count < static_cast<std::size_t>(all.k) && all.distances_of(i)[count] <= radius) ++count;
      const auto& list = lists[static_cast<std::size_t>(i)];
      ASSERT_EQ(list.size(), count) << "sample " << i;
      for (std::size_t j = 0; j < count; ++j) {
        ASSERT_EQ(list[j].first, all.of(i)[j]);
        ASSERT_NEAR(list[j].second, all.distances_of(i)[j], 1e-13);
      }
    }
  }
};

TEST_P(NeighborsWithin, FindsAllInTheBall) {
  expect_oracle(Rng(1).normal_matrix(300, 3), 0.8);
  expect_oracle(Rng(2).normal_matrix(200, 12), 4.0);
}

TEST_P(NeighborsWithin, OrdersTiesByIndex) { expect_oracle(dataset::grid(8, 2), 1.5); }

// sqrt(3)² is less than 3: a sample at exactly that distance must still be included.
TEST_P(NeighborsWithin, IncludesTheBoundary) {
  const Matrix X = dataset::grid(4, 3);
  for (const double squared : {1.0, 2.0, 3.0, 5.0, 6.0, 9.0}) expect_oracle(X, std::sqrt(squared));
}

TEST_P(NeighborsWithin, HandlesDuplicatesAndRadiusZero) {
  const Matrix X = dataset::repeated(Rng(3).normal_matrix(30, 3), 3);
  expect_oracle(X, 0.0);
  expect_oracle(X, 0.5);
}

TEST_P(NeighborsWithin, MayBeEmptyOrEverything) {
  const Matrix X = Rng(4).normal_matrix(50, 3);
  expect_oracle(X, 1e-9);
  expect_oracle(X, 1e9);
}

TEST_P(NeighborsWithin, SupportsTheCosine) { expect_oracle(Rng(5).normal_matrix(150, 4), 0.2, Metric::kCosine); }

TEST_P(NeighborsWithin, IsTheSameOnTwoThreads) {
  const Matrix X = Rng(6).normal_matrix(400, 4);
  EXPECT_EQ(neighbors_within(X, 0.7, {.search = GetParam()}, {.n_threads = 1}),
            neighbors_within(X, 0.7, {.search = GetParam()}, {.n_threads = 2}));
}

INSTANTIATE_TEST_SUITE_P(Neighbors, NeighborsWithin,
                         testing::Values(NeighborSearch::kBruteForce, NeighborSearch::kKdTree, NeighborSearch::kAuto),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(NeighborsWithin, RefusesMorePairsThanFitIntoMemory) {
  for (const Index d : {3, 14}) {
    const Matrix X = Rng(4).normal_matrix(200, d);
    EXPECT_NO_THROW((void)neighbors_within(X, 1e-3, {}, {.memory_limit = 1e5}));
    const auto text = message_of<InvalidArgument>([&] { (void)neighbors_within(X, 100, {}, {.memory_limit = 1e5}); });
    EXPECT_TRUE(contains(text, "within radius 100")) << text;
    EXPECT_TRUE(contains(text, "lower radius")) << text;
  }
}

}  // namespace
}  // namespace foldout
