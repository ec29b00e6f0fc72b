// SPDX-License-Identifier: Apache-2.0
#include "neighbors/leading_features.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "neighbors/neighbors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

// Few directions with most of the variance, as in images.
Matrix of_low_rank(Index n, Index d, std::uint64_t seed) {
  Rng rng(seed);
  return rng.normal_matrix(n, 5) * Rng(99).normal_matrix(5, d) + 0.05 * rng.normal_matrix(n, d);
}

TEST(LeadingFeatures, BoundDistancesFromBelow) {
  const Matrix X = of_low_rank(2100, 70, 1);
  const Eigen::RowVectorXd center = X.colwise().mean();
  const auto leading = LeadingFeatures::find(X, center, 1);
  ASSERT_TRUE(leading);
  const Matrix some = X.topRows(200).rowwise() - center, features = leading->of(some);
  EXPECT_LT(features.cols(), 20);
  double closest = 0;
  for (Index i = 0; i < 200; ++i)
    for (Index j = 0; j < i; ++j) {
      const double true_distance = (some.row(i) - some.row(j)).norm();
      const double bound = (features.row(i) - features.row(j)).norm();
      ASSERT_LE(bound, true_distance * (1 + 1e-9));
      closest = std::max(closest, bound / true_distance);
    }
  EXPECT_GT(closest, 0.95) << "a bound that excludes samples";
}

TEST(LeadingFeatures, AreNotUsedWhereTheyExcludeFewSamples) {
  const Matrix X = Rng(2).normal_matrix(2100, 70);
  EXPECT_FALSE(LeadingFeatures::find(X, X.colwise().mean(), 1));
}

class LargeSearch : public testing::TestWithParam<const char*> {
 protected:
  // Enough samples and features for a search by leading features.
  [[nodiscard]] static Matrix samples() {
    const std::string kind = GetParam();
    Matrix X = of_low_rank(2200, 70, 3);
    if (kind == "far from the origin") X.array() += 1e5;
    if (kind == "repeated") X.bottomRows(1100) = X.topRows(1100);
    if (kind == "with many ties") X = X.array().round();
    if (kind == "in clusters")
      for (Index i = 0; i < X.rows(); ++i) X.row(i) = 1e-3 * X.row(i).array() + static_cast<double>(i % 7);
    if (kind == "with outliers") X.row(7) *= 1e4, X.row(11) *= -1e6;
    if (kind == "small") X *= 1e-150;
    return X;
  }
};

// Without row i itself.
std::vector<int> others(const NeighborTable& table, Index i) {
  std::vector<int> found(table.of(i).begin(), table.of(i).end());
  if (std::erase(found, static_cast<int>(i)) == 0) found.pop_back();
  return found;
}

TEST_P(LargeSearch, EqualsTheFullSort) {
  const Matrix X = samples(), Q = X.topRows(200) + 0.0625 * X.middleRows(400, 200);  // rounded values stay exact
  EXPECT_EQ(make_neighbor_index(X)->query(Q, 8).indices, oracle::nearest(X, Q, 8).indices);
  EXPECT_EQ(make_neighbor_index(X)->query(Q, 1).indices, oracle::nearest(X, Q, 1).indices);
  const NeighborTable all = nearest_neighbors(X, 8), sorted = oracle::nearest(X, X.topRows(200), 9);
  for (Index i = 0; i < 200; ++i) EXPECT_EQ(std::vector<int>(all.of(i).begin(), all.of(i).end()), others(sorted, i));
}

TEST_P(LargeSearch, GivesAQueryTheSameResultBeforeAndAfterManyOthers) {
  const Matrix X = samples(), Q = X.topRows(300) + 0.01 * X.middleRows(400, 300);
  const auto index = make_neighbor_index(X);
  const NeighborTable first = index->query(Q.topRows(3), 5), all = index->query(Q, 5);
  const NeighborTable last = index->query(Q.topRows(3), 5);
  for (std::size_t i = 0; i < first.indices.size(); ++i) {
    EXPECT_EQ(first.indices[i], all.indices[i]);
    EXPECT_EQ(first.distances[i], all.distances[i]);
    EXPECT_EQ(first.distances[i], last.distances[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, LargeSearch,
                         testing::Values("of low rank", "far from the origin", "repeated", "with many ties",
                                         "in clusters", "with outliers", "small"));

}  // namespace
}  // namespace foldout
