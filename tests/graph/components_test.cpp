// SPDX-License-Identifier: Apache-2.0
#include "graph/components.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/random.h"
#include "core/rows.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "graph/affinity.h"
#include "graph/neighborhoods.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

// The lengths of a minimum spanning tree over the components, by Kruskal's algorithm: any set of shortest bridges has
// them.
std::vector<double> shortest_bridges(const Matrix& X, const ComponentMap& parts) {
  const Matrix D = oracle::distances(X, X);
  std::vector<std::tuple<double, Index, Index>> pairs;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (parts.component[static_cast<std::size_t>(i)] != parts.component[static_cast<std::size_t>(j)])
        pairs.emplace_back(D(i, j), i, j);
  std::ranges::sort(pairs);
  std::vector<int> part = parts.component;
  std::vector<double> lengths;
  for (const auto& [length, i, j] : pairs) {
    const int from = part[static_cast<std::size_t>(i)], to = part[static_cast<std::size_t>(j)];
    if (from == to) continue;
    lengths.push_back(length);
    std::ranges::replace(part, from, to);
  }
  return lengths;
}

void expect_shortest_bridges(const Matrix& X, const GraphOptions& options, int n_parts) {
  Report report;
  const Matrix A =
      oracle::adjacency(oracle::nearest_others(X, options.n_neighbors), options.graph == GraphKind::kMutual);
  const ComponentMap parts = find_components(A.sparseView());
  ASSERT_EQ(parts.count(), n_parts);
  const DistanceGraph graph = build_distance_graph(X, options, {}, report);
  EXPECT_EQ(find_components(graph.lengths).count(), 1);
  std::vector<double> lengths;
  for (const Gap& bridge : graph.bridges) {
    lengths.push_back(bridge.distance);
    EXPECT_NEAR(bridge.distance, (X.row(bridge.from) - X.row(bridge.to)).norm(), 1e-12 * (1 + bridge.distance));
    EXPECT_NEAR(graph.lengths.coeff(bridge.from, bridge.to), bridge.distance, 1e-12 * (1 + bridge.distance));
    EXPECT_NEAR(graph.lengths.coeff(bridge.to, bridge.from), bridge.distance, 1e-12 * (1 + bridge.distance));
  }
  std::ranges::sort(lengths);
  std::vector<double> expected = shortest_bridges(X, parts);
  ASSERT_EQ(lengths.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(lengths[i], expected[i], 1e-12 * (1 + expected[i]));
  EXPECT_TRUE(report.has_note("components_joined"));
  EXPECT_EQ(*report.find_figure("components"), n_parts);
  EXPECT_EQ(*report.find_figure("bridges"), n_parts - 1);
}

TEST(Components, AreJoinedByTheShortestBridges) {
  for (const auto search : {NeighborSearch::kBruteForce, NeighborSearch::kKdTree}) {
    expect_shortest_bridges(dataset::blobs(25, 2, 3, 50), {.n_neighbors = 4, .search = search}, 2);
    expect_shortest_bridges(dataset::blobs(20, 7, 3, 40), {.n_neighbors = 6, .search = search}, 7);
    expect_shortest_bridges(dataset::blobs(20, 5, 12, 60), {.n_neighbors = 6, .search = search}, 5);
    Matrix scattered = dataset::blobs(12, 9, 2, 0);
    const Matrix centers = 100 * Rng(8).normal_matrix(9, 2);
    for (Index i = 0; i < scattered.rows(); ++i) scattered.row(i) += centers.row(i / 12);
    expect_shortest_bridges(scattered, {.n_neighbors = 5, .search = search}, 9);
  }
}

TEST(Components, AreJoinedInMutualGraphsToo) {
  const Matrix X = dataset::blobs(15, 4, 3, 30);
  Report report;
  const DistanceGraph graph = build_distance_graph(X, {.graph = GraphKind::kMutual, .n_neighbors = 3}, {}, report);
  EXPECT_EQ(find_components(graph.lengths).count(), 1);
}

// Equal distances everywhere: one bridge fewer than components, and none twice.
TEST(Components, NeedNoMoreBridgesWhereDistancesAreEqual) {
  Matrix X(4 * 4 + 9, 2);  // squares of four points face each other; a larger component is apart
  const double corners[4][2] = {{0, 0}, {100, 0}, {0, 100}, {100, 100}};
  for (Index b = 0; b < 4; ++b)
    for (Index i = 0; i < 4; ++i)  // every other square is numbered backwards
      X.row(4 * b + i) << corners[b][0] + static_cast<double>((b % 2 == 0 ? i : 3 - i) % 2),
          corners[b][1] + static_cast<double>((b % 2 == 0 ? i : 3 - i) / 2);
  X.bottomRows(9) = dataset::grid(3, 2).array() + 1000;
  for (const auto search : {NeighborSearch::kBruteForce, NeighborSearch::kKdTree})
    expect_shortest_bridges(X, {.n_neighbors = 3, .search = search}, 5);
}

TEST(Components, AddBridgesToTheListsOfBothEnds) {
  const Matrix X = dataset::blobs(20, 2, 3, 80);
  Report report;
  const Neighborhoods lists = find_neighborhoods(X, {.n_neighbors = 4}, {}, report);
  ASSERT_EQ(lists.size(), 40);
  Index longer = 0;
  for (Index i = 0; i < 40; ++i) {
    const auto list = lists.of(i);
    longer += list.size() == 5;
    ASSERT_TRUE(list.size() == 4 || list.size() == 5);
    if (list.size() < 5) continue;
    const auto back = lists.of(list[4]);
    EXPECT_EQ(back.back(), i);
    EXPECT_NE(list[4] / 20, i / 20);
  }
  EXPECT_EQ(longer, 2);
  EXPECT_TRUE(report.has_note("components_joined"));
}

TEST(Components, AreLeftOutExceptTheLargest) {
  Matrix X = dataset::blobs(30, 2, 3, 80).bottomRows(50);  // 20 samples, then 30
  Report report;
  const auto graph = build_affinity_graph(X, {.n_neighbors = 5, .components = Components::kLargest}, {}, report);
  ASSERT_EQ(graph.kept.size(), 30U);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(graph.kept[i], static_cast<Index>(i) + 20);
  EXPECT_TRUE(report.has_note("components_left_out"));
  Report alone;
  const auto part = build_affinity_graph(X.bottomRows(30), {.n_neighbors = 5}, {}, alone);
  EXPECT_EQ(Matrix(graph.sparse), Matrix(part.sparse));
  const Neighborhoods lists = find_neighborhoods(X, {.n_neighbors = 5, .components = Components::kLargest}, {}, report);
  EXPECT_EQ(lists.size(), 30);
  EXPECT_EQ(lists.kept, graph.kept);
  EXPECT_EQ(lists.neighbors, oracle::nearest_others(X.bottomRows(30), 5).indices);
}

TEST(Components, AreRefusedOnRequest) {
  Report report;
  const auto text = message_of<InvalidArgument>([&] {
    (void)find_neighborhoods(dataset::blobs(20, 7, 3, 80), {.n_neighbors = 4, .components = Components::kError}, {},
                             report);
  });
  EXPECT_TRUE(contains(text, "7 components of 20, 20, 20, 20, 20, … samples")) << text;
  EXPECT_TRUE(contains(text, "n_neighbors (now 4)")) << text;
}

TEST(ComponentMap, NumbersComponentsByTheirFirstNode) {
  ComponentBuilder builder(7);
  builder.join(5, 1);
  builder.join(6, 5);
  builder.join(3, 2);
  const ComponentMap map = builder.components();
  EXPECT_EQ(map.component, (std::vector<int>{0, 1, 2, 2, 3, 1, 1}));
  EXPECT_EQ(map.sizes, (std::vector<Index>{1, 3, 2, 1}));
  EXPECT_EQ(map.largest(), 1);
  EXPECT_EQ(map.members(1), (std::vector<Index>{1, 5, 6}));
  EXPECT_EQ(map.describe(), "4 components of 3, 2, 1 and 1 samples");
}

TEST(KeptSamples, AreTheRowsKeptOrAll) {
  const Matrix X = dataset::grid(3, 2);
  EXPECT_EQ(KeptSamples(X, {}).rows().data(), X.data());
  EXPECT_EQ(Matrix(KeptSamples(X, {1, 4}).rows()), dataset::rows_of(X, {1, 4}));
}

}  // namespace
}  // namespace foldout
