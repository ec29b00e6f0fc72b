// SPDX-License-Identifier: Apache-2.0
#include "foldout/evaluate/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "evaluate/assignment.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

using Labels = std::vector<std::string>;

TEST(Accuracy, IsTheFractionOfEqualLabels) {
  EXPECT_DOUBLE_EQ(accuracy({"a", "b", "c", "a"}, {"a", "b", "a", "a"}), 0.75);
  EXPECT_THROW((void)accuracy({"a"}, {"a", "b"}), InvalidArgument);
  EXPECT_THROW((void)accuracy({}, {}), InvalidArgument);
}

TEST(ClusteringError, NamesOfClustersDoNotMatter) {
  EXPECT_DOUBLE_EQ(clustering_error({"1", "1", "2", "2", "0"}, {"x", "x", "y", "y", "z"}), 0);
  EXPECT_DOUBLE_EQ(clustering_error({"1", "1", "2", "2"}, {"x", "y", "x", "y"}), 0.5);
}

TEST(ClusteringError, NumbersOfClustersAndClassesMayDiffer) {
  EXPECT_DOUBLE_EQ(clustering_error({"1", "2", "3", "4"}, {"x", "x", "x", "x"}), 0.75);
  EXPECT_DOUBLE_EQ(clustering_error({"1", "1", "1", "1"}, {"x", "x", "x", "y"}), 0.25);
  EXPECT_THROW((void)clustering_error({"1"}, {"x", "y"}), InvalidArgument);
}

TEST(ClusteringError, GreedyMatchingIsNotEnough) {
  // Cluster 1 contains 3 x and 2 y, cluster 2 contains 2 x: matching 1 with x first would leave y unmatched.
  EXPECT_NEAR(clustering_error({"1", "1", "1", "1", "1", "2", "2"}, {"x", "x", "x", "y", "y", "x", "x"}), 3.0 / 7,
              1e-15);
}

TEST(Assignment, EqualsTheBestOfAllPermutations) {
  Rng rng(5);
  for (int trial = 0; trial < 40; ++trial) {
    const auto rows = static_cast<Index>(1 + rng.below(6)), columns = static_cast<Index>(1 + rng.below(6));
    Matrix gain(rows, columns);
    for (Index i = 0; i < gain.size(); ++i) gain.data()[i] = static_cast<double>(rng.below(9));
    std::vector<Index> order(static_cast<std::size_t>(std::max(rows, columns)));
    std::iota(order.begin(), order.end(), Index{0});
    double best = 0;
    do {
      double total = 0;
      for (Index i = 0; i < rows; ++i)
        if (const Index j = order[static_cast<std::size_t>(i)]; j < columns) total += gain(i, j);
      best = std::max(best, total);
    } while (std::ranges::next_permutation(order).found);
    EXPECT_DOUBLE_EQ(best_assignment(gain), best);
  }
}

TEST(NeighborAccuracy, IsTheRecognitionRateOfTheNearestNeighbor) {
  Matrix train(4, 1), fresh(3, 1);
  train << 0, 1, 10, 11;
  fresh << 0.4, 9, 6;
  EXPECT_NEAR(neighbor_accuracy(train, {"a", "a", "b", "b"}, fresh, {"a", "b", "a"}), 2.0 / 3, 1e-15);
}

TEST(NeighborAccuracy, MajorityDecidesAndTiesGoToTheNearest) {
  Matrix train(4, 1), fresh(1, 1);
  train << 0, 2, 3, 100;
  fresh << 0.5;
  const Labels labels{"a", "b", "b", "a"};
  EXPECT_DOUBLE_EQ(neighbor_accuracy(train, labels, fresh, {"b"}, {.n_neighbors = 3}), 1);
  EXPECT_DOUBLE_EQ(neighbor_accuracy(train, labels, fresh, {"a"}, {.n_neighbors = 2}), 1);
  EXPECT_DOUBLE_EQ(neighbor_accuracy(train, labels, fresh, {"a"}, {.n_neighbors = 4}), 1);
}

TEST(NeighborAccuracy, WrongRequestsAreNamed) {
  const Matrix samples = Matrix::Identity(3, 2);
  const Labels labels{"a", "b", "c"};
  EXPECT_THROW((void)neighbor_accuracy(samples, {"a"}, samples, labels), InvalidArgument);
  EXPECT_THROW((void)neighbor_accuracy(samples, labels, samples, {"a"}), InvalidArgument);
  EXPECT_THROW((void)neighbor_accuracy(samples, labels, Matrix::Identity(3, 3), labels), InvalidArgument);
  EXPECT_THROW((void)neighbor_accuracy(samples, labels, samples, labels, {.n_neighbors = 4}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
