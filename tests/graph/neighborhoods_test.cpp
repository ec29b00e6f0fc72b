// SPDX-License-Identifier: Apache-2.0
#include "graph/neighborhoods.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "foldout/core/error.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

std::vector<int> list_of(const Neighborhoods& lists, Index i) { return {lists.of(i).begin(), lists.of(i).end()}; }

void expect_distances(const Neighborhoods& lists, const Matrix& X) {
  ASSERT_EQ(lists.distances.size(), lists.neighbors.size());
  for (Index i = 0; i < lists.size(); ++i)
    for (Index at = lists.first[static_cast<std::size_t>(i)]; at < lists.first[static_cast<std::size_t>(i) + 1]; ++at) {
      const double expected = (X.row(i) - X.row(lists.neighbors[static_cast<std::size_t>(at)])).norm();
      EXPECT_NEAR(lists.distances[static_cast<std::size_t>(at)], expected, 1e-12 * (1 + expected));
    }
}

TEST(Neighborhoods, AreTheNearestNeighborsOfAConnectedGraph) {
  const Matrix X = dataset::roll(150);
  const NeighborTable expected = oracle::nearest_others(X, 10);
  Report report;
  const Neighborhoods lists = find_neighborhoods(X, {.n_neighbors = 10}, {}, report);
  ASSERT_EQ(lists.size(), 150);
  for (Index i = 0; i < 150; ++i)
    EXPECT_EQ(list_of(lists, i), std::vector<int>(expected.of(i).begin(), expected.of(i).end())) << i;
  expect_distances(lists, X);
  EXPECT_TRUE(lists.kept.empty());
  EXPECT_TRUE(report.notes.empty());
}

// Two rows of points, 0 … 9 and 100 … 109: the shortest bridge joins samples 9 and 10 and ends both lists.
Matrix two_rows() {
  Matrix X(20, 1);
  for (Index i = 0; i < 20; ++i) X(i, 0) = static_cast<double>(i) + (i < 10 ? 0 : 90);
  return X;
}

TEST(Neighborhoods, EndWithTheBridgesBetweenComponents) {
  const Matrix X = two_rows();
  const NeighborTable nearest = oracle::nearest_others(X, 3);
  Report report;
  const Neighborhoods lists = find_neighborhoods(X, {.n_neighbors = 3}, {}, report);
  ASSERT_EQ(lists.size(), 20);
  for (Index i = 0; i < 20; ++i) {
    std::vector<int> expected(nearest.of(i).begin(), nearest.of(i).end());
    if (i == 9) expected.push_back(10);
    if (i == 10) expected.push_back(9);
    EXPECT_EQ(list_of(lists, i), expected) << i;
  }
  expect_distances(lists, X);
  EXPECT_EQ(*report.find_figure("bridges"), 1);
  EXPECT_TRUE(report.has_note("components_joined"));
}

TEST(Neighborhoods, ReferToTheKeptSamplesIfComponentsAreLeftOut) {
  Matrix X(23, 1);  // three samples far away come first
  X.topRows(3) << -1000, -1001, -1002;
  X.bottomRows(20) = dataset::grid(20, 1);
  Report report;
  const Neighborhoods lists = find_neighborhoods(X, {.n_neighbors = 2, .components = Components::kLargest}, {}, report);
  std::vector<Index> kept(20);
  for (Index i = 0; i < 20; ++i) kept[static_cast<std::size_t>(i)] = i + 3;
  EXPECT_EQ(lists.kept, kept);
  const Matrix part = X.bottomRows(20);
  const NeighborTable nearest = oracle::nearest_others(part, 2);
  ASSERT_EQ(lists.size(), 20);
  for (Index i = 0; i < 20; ++i)
    EXPECT_EQ(list_of(lists, i), std::vector<int>(nearest.of(i).begin(), nearest.of(i).end())) << i;
  expect_distances(lists, part);
  EXPECT_TRUE(report.has_note("components_left_out"));
}

TEST(Neighborhoods, AreRefusedIfDisconnectedOnRequest) {
  Report report;
  const std::string text = message_of<InvalidArgument>(
      [&] { (void)find_neighborhoods(two_rows(), {.n_neighbors = 3, .components = Components::kError}, {}, report); });
  EXPECT_TRUE(contains(text, "2 components of 10 and 10")) << text;
  EXPECT_TRUE(contains(text, "raise n_neighbors (now 3)")) << text;
}

TEST(DistinctSamples, AreTheFirstOfEqualSamplesInTheirOrder) {
  Matrix X(7, 2);
  X << 5, 1, 2, 2, 5, 1, 0, 3, 2, 2, 5, 1, 2, 1;
  Report report;
  const DistinctSamples distinct(X, report);
  Matrix rows(4, 2);
  rows << 5, 1, 2, 2, 0, 3, 2, 1;
  EXPECT_EQ(Matrix(distinct.rows()), rows);
  EXPECT_EQ(distinct.expand(rows), X);
  const Matrix about = dataset::grid(7, 1);  // 0 … 6: rows 0, 2, 5 and rows 1, 4 are averaged
  Matrix means(4, 1);
  means << 7.0 / 3, 2.5, 3, 6;
  EXPECT_LT((distinct.contract(about) - means).cwiseAbs().maxCoeff(), 1e-15);
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_EQ(report.notes[0].code, "duplicates_merged");
  EXPECT_TRUE(contains(report.notes[0].text, "3 of 7 samples")) << report.notes[0].text;
}

TEST(DistinctSamples, RefuseMoreNeighborsThanThereAre) {
  Report report;
  const DistinctSamples five(dataset::repeated(dataset::roll(5), 3), report);
  EXPECT_NO_THROW(five.require_neighbors(4, "lle"));
  EXPECT_EQ(message_of<InvalidArgument>([&] { five.require_neighbors(5, "lle"); }),
            "lle: n_neighbors = 5 must be in 1 … 4: 10 of the 15 samples are duplicates, only 5 are distinct");
  const DistinctSamples one(Matrix::Ones(8, 2), report);
  EXPECT_EQ(message_of<InvalidArgument>([&] { one.require_neighbors(1, "ltsa"); }),
            "ltsa: all 8 samples are equal: use samples that differ");
  EXPECT_NO_THROW(DistinctSamples(dataset::roll(5), report).require_neighbors(5, "lle"));  // the search refuses them
}

TEST(DistinctSamples, AreAllSamplesIfNoneRepeats) {
  const Matrix X = dataset::roll(30);
  Report report;
  const DistinctSamples distinct(X, report);
  EXPECT_EQ(Matrix(distinct.rows()), X);
  EXPECT_EQ(distinct.expand(X), X);
  EXPECT_EQ(distinct.contract(X), X);
  EXPECT_TRUE(report.notes.empty());
}

}  // namespace
}  // namespace foldout
