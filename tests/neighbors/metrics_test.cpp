// SPDX-License-Identifier: Apache-2.0
// Every metric, with every search that supports it, against a full sort of the distances as they are defined.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "linalg/metric_distances.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

using S = NeighborSearch;

class SearchByMetric : public testing::TestWithParam<std::tuple<Metric, NeighborSearch>> {
 protected:
  [[nodiscard]] Metric metric() const { return std::get<0>(GetParam()); }
  [[nodiscard]] NeighborOptions options() const { return {metric(), std::get<1>(GetParam()), 0}; }
};

void expect_equal(const NeighborTable& found, const NeighborTable& expected) {
  EXPECT_EQ(found.indices, expected.indices);
  for (std::size_t i = 0; i < found.distances.size(); ++i)
    ASSERT_NEAR(found.distances[i], expected.distances[i], 1e-13 * (1 + expected.distances[i])) << i;
}

TEST_P(SearchByMetric, FindsTheNearest) {
  for (const Index d : {3, 10, 40}) {
    const Matrix X = Rng(1).normal_matrix(300, d), Q = 2 * Rng(2).normal_matrix(70, d);
    expect_equal(nearest_neighbors(X, 7, options()), oracle::nearest_others(X, 7, metric()));
    const auto index = make_neighbor_index(X, options());
    expect_equal(index->query(Q, 7), oracle::nearest(X, Q, 7, metric()));
    EXPECT_EQ(index->query(Q.middleRows(33, 1), 7).distances_of(0)[6], index->query(Q, 7).distances_of(33)[6]);
    EXPECT_EQ(nearest_neighbors(X, 7, options(), {.n_threads = 2}).indices, nearest_neighbors(X, 7, options()).indices);
  }
}

TEST_P(SearchByMetric, BreaksTiesByIndex) {
  if (by_angle(metric())) return;  // a grid has no ties in these
  const Matrix X = dataset::repeated(dataset::grid(6, 2), 2);
  expect_equal(nearest_neighbors(X, 9, options()), oracle::nearest_others(X, 9, metric()));
}

TEST_P(SearchByMetric, FindsAllWithinARadius) {
  const Matrix X = Rng(3).normal_matrix(200, 4), D = oracle::distances(X, X, metric());
  const double radius = D.mean() / 3;
  const NeighborLists lists = neighbors_within(X, radius, options());
  for (Index i = 0; i < 200; ++i) {
    EXPECT_EQ(static_cast<Index>(lists[static_cast<std::size_t>(i)].size()), (D.row(i).array() <= radius).count() - 1);
    for (const auto& [j, distance] : lists[static_cast<std::size_t>(i)]) EXPECT_NEAR(distance, D(i, j), 1e-13);
  }
}

TEST_P(SearchByMetric, FindsTheClosestPairsBetweenGroups) {
  const Matrix X = Rng(4).normal_matrix(90, 4), D = oracle::distances(X, X, metric());
  std::vector<int> group;
  for (int i = 0; i < 90; ++i) group.push_back(i % 5 == 4 ? 3 : i % 5);
  for (const Gap& gap : closest_gaps(X, group, 4, options())) {
    const int from = group[static_cast<std::size_t>(gap.from)];
    double least = 1e9;
    for (Index i = 0; i < 90; ++i)
      for (Index j = 0; j < 90; ++j)
        if (group[static_cast<std::size_t>(i)] == from && group[static_cast<std::size_t>(j)] != from)
          least = std::min(least, D(i, j));
    EXPECT_NEAR(gap.distance, least, 1e-13);
    EXPECT_NEAR(D(gap.from, gap.to), least, 1e-13);
  }
}

INSTANTIATE_TEST_SUITE_P(Metrics, SearchByMetric,
                         testing::Combine(testing::Values(Metric::kEuclidean, Metric::kCosine, Metric::kCorrelation,
                                                          Metric::kManhattan, Metric::kChebyshev),
                                          testing::Values(S::kAuto, S::kBruteForce, S::kKdTree)),
                         [](const auto& test) {
                           return std::string(name_of(std::get<0>(test.param))) + "_" +
                                  std::string(name_of(std::get<1>(test.param)));
                         });

// The values of scipy.spatial.distance.cdist.
TEST(Metrics, AreThoseOfScipy) {
  Matrix X(2, 4);
  X << 1, 2, 3, 5, 2, -1, 0.5, 4;
  const auto distance = [&](Metric metric) { return std::sqrt(squared_pair_distances(X, metric, {})(0, 1)); };
  EXPECT_NEAR(distance(Metric::kEuclidean), 4.153311931459037, 1e-14);
  EXPECT_NEAR(distance(Metric::kCosine), 0.2531615151362345, 1e-14);
  EXPECT_NEAR(distance(Metric::kCorrelation), 0.4174756331579125, 1e-14);
  EXPECT_NEAR(distance(Metric::kManhattan), 7.5, 1e-14);
  EXPECT_NEAR(distance(Metric::kChebyshev), 3.0, 1e-14);
}

TEST(Metrics, OfNewSamplesAgreeWithThoseOfAllPairs) {
  const Matrix X = Rng(5).normal_matrix(40, 6);
  for (const Metric metric :
       {Metric::kEuclidean, Metric::kCosine, Metric::kCorrelation, Metric::kManhattan, Metric::kChebyshev}) {
    const Matrix D = oracle::distances(X, X, metric);
    const DistancesTo distances(X, metric);
    EXPECT_LT((squared_pair_distances(X, metric, {}).cwiseSqrt() - D).cwiseAbs().maxCoeff(), 1e-7) << name_of(metric);
    EXPECT_LT((distances.squared(X) - D.cwiseAbs2()).cwiseAbs().maxCoeff(), 1e-12) << name_of(metric);
    EXPECT_NEAR(distances.exact(X.middleRows(3, 1), 8), D(3, 8), 1e-14) << name_of(metric);
  }
}

// 0.1 + … + 0.1 has a mean that is not exactly 0.1.
TEST(Correlation, IsNotDefinedForConstantRows) {
  Matrix X = Rng(6).normal_matrix(20, 7);
  X.row(13).setConstant(0.1);
  for (const auto search : {S::kBruteForce, S::kKdTree}) {
    const auto text = message_of<InvalidArgument>(
        [&] { (void)nearest_neighbors(X, 3, {.metric = Metric::kCorrelation, .search = search}); });
    EXPECT_TRUE(contains(text, "row 13 is constant, so its correlation") && contains(text, "metric=euclidean")) << text;
  }
  EXPECT_EQ(directions(X, Metric::kCorrelation).row(13).cwiseAbs().maxCoeff(), 0);
  EXPECT_NEAR(DistancesTo(X, Metric::kCorrelation).squared(X)(13, 2), 1, 1e-15);
}

TEST(Correlation, IgnoresShiftAndScaleOfASample) {
  const Matrix X = Rng(7).normal_matrix(50, 6);
  const Matrix moved = (3 * X).colwise() + Vector(1e3 * Rng(8).normal_matrix(50, 1).col(0));
  EXPECT_EQ(nearest_neighbors(X, 5, {.metric = Metric::kCorrelation}).indices,
            nearest_neighbors(moved, 5, {.metric = Metric::kCorrelation}).indices);
  Matrix huge = 1e300 * X;
  EXPECT_LT((directions(huge, Metric::kCorrelation) - directions(X, Metric::kCorrelation)).norm(), 1e-13);
}

TEST(ApproximateSearch, RefusesMetricsThatItCannotSearch) {
  const Matrix X = Rng(9).normal_matrix(60, 4);
  for (const Metric metric : {Metric::kManhattan, Metric::kChebyshev}) {
    const auto text = message_of<InvalidArgument>(
        [&] { (void)nearest_neighbors(X, 3, {.metric = metric, .search = S::kApproximate}); });
    EXPECT_TRUE(contains(text, "euclidean, cosine and correlation") && contains(text, "search=auto")) << text;
  }
  const NeighborOptions approximate{.metric = Metric::kCorrelation, .search = S::kApproximate};
  EXPECT_EQ(nearest_neighbors(X, 3, approximate).indices, oracle::nearest_others(X, 3, Metric::kCorrelation).indices);
}

TEST(Precomputed, DistancesAreSearchedByRow) {
  const Matrix X = Rng(10).normal_matrix(80, 5), Q = Rng(11).normal_matrix(20, 5);
  const Matrix D = oracle::distances(X, X), rows = oracle::distances(Q, X);
  const NeighborOptions options{.metric = Metric::kPrecomputed};
  expect_equal(nearest_neighbors(D, 6, options), oracle::nearest_others(X, 6));
  expect_equal(make_neighbor_index(D, options)->query(rows, 6), oracle::nearest(X, Q, 6));
  EXPECT_EQ(neighbors_within(D, 1.7, options).size(), 80U);
  Matrix negative = rows;
  negative(7, 3) = -1;
  const auto text = message_of<InvalidArgument>([&] { (void)make_neighbor_index(D, options)->query(negative, 6); });
  EXPECT_TRUE(contains(text, "row 7 has the distance -1 to training sample 3")) << text;
  EXPECT_THROW((void)nearest_neighbors(D, 6, {.metric = Metric::kPrecomputed, .search = S::kKdTree}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
