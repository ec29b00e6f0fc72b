// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {
namespace {

// The least distance of each group to any other, over all pairs.
void expect_oracle(const Matrix& X, const std::vector<int>& group, int n_groups, const NeighborOptions& options) {
  const Matrix D = oracle::distances(X, X, options.metric);
  const std::vector<Gap> gaps = closest_gaps(X, group, n_groups, options);
  ASSERT_EQ(gaps.size(), static_cast<std::size_t>(n_groups) - 1);
  std::vector<char> seen(static_cast<std::size_t>(n_groups), 0);
  for (const Gap& gap : gaps) {
    const int g = group[static_cast<std::size_t>(gap.from)];
    EXPECT_NE(g, group[static_cast<std::size_t>(gap.to)]);
    EXPECT_FALSE(seen[static_cast<std::size_t>(g)]++) << "group " << g << " twice";
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < X.rows(); ++i)
      for (Index j = 0; j < X.rows(); ++j)
        if (group[static_cast<std::size_t>(i)] == g && group[static_cast<std::size_t>(j)] != g)
          least = std::min(least, D(i, j));
    EXPECT_NEAR(gap.distance, least, 1e-13 * (1 + least));
    EXPECT_NEAR(D(gap.from, gap.to), least, 1e-13 * (1 + least));
  }
  const std::vector<Gap> two = closest_gaps(X, group, n_groups, options, {.n_threads = 2});
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    EXPECT_EQ(gaps[i].from, two[i].from);
    EXPECT_EQ(gaps[i].to, two[i].to);
  }
}

std::vector<int> random_groups(Index n, int n_groups) {
  Rng rng(9);
  std::vector<int> group(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < group.size(); ++i)
    group[i] = i < static_cast<std::size_t>(n_groups)
                   ? static_cast<int>(i)
                   : static_cast<int>(rng.below(static_cast<std::uint64_t>(n_groups)));
  return group;
}

TEST(ClosestGaps, AreTheShortestOfAllPairs) {
  for (const Index d : {2, 3, 12})
    for (const auto search : {NeighborSearch::kAuto, NeighborSearch::kBruteForce, NeighborSearch::kKdTree}) {
      const Matrix X = dataset::blobs(40, 4, d, 12);
      std::vector<int> group;
      for (Index i = 0; i < X.rows(); ++i) group.push_back(static_cast<int>(i / 40));
      expect_oracle(X, group, 4, {.search = search});
      expect_oracle(X, random_groups(X.rows(), 7), 7, {.search = search});
    }
}

TEST(ClosestGaps, HandleDuplicatesAcrossGroups) {
  const Matrix X = dataset::repeated(Rng(1).normal_matrix(30, 3), 2);
  for (const auto search : {NeighborSearch::kBruteForce, NeighborSearch::kKdTree})
    expect_oracle(X, random_groups(X.rows(), 5), 5, {.search = search});
}

TEST(ClosestGaps, HandleGroupsOfOneSample) {
  const Matrix X = Rng(2).normal_matrix(25, 3);
  std::vector<int> group(25);
  for (int i = 0; i < 25; ++i) group[static_cast<std::size_t>(i)] = i;
  for (const auto search : {NeighborSearch::kBruteForce, NeighborSearch::kKdTree})
    expect_oracle(X, group, 25, {.search = search});
}

TEST(ClosestGaps, SupportTheCosine) {
  const Matrix X = Rng(3).normal_matrix(60, 4);
  for (const auto search : {NeighborSearch::kBruteForce, NeighborSearch::kKdTree})
    expect_oracle(X, random_groups(60, 4), 4, {Metric::kCosine, search, 0});
}

TEST(ClosestGaps, LeaveOutTheLargestGroup) {
  const Matrix X = dataset::grid(4, 2);
  std::vector<int> group(16, 0);
  group[5] = 1;
  const auto gaps = closest_gaps(X, group, 2);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].from, 5);
  EXPECT_DOUBLE_EQ(gaps[0].distance, 1.0);
}

}  // namespace
}  // namespace foldout
