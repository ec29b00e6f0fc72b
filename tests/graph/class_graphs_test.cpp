// SPDX-License-Identifier: Apache-2.0
#include "graph/class_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "foldout/core/error.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

class ClassGraph : public testing::Test {
 protected:
  const Matrix X_ = dataset::roll(60);
  const std::vector<int> labels_ = dataset::classes(X_);
  const Matrix D_ = oracle::distances(X_, X_);

  [[nodiscard]] bool kin(Index i, Index j, Kinship kinship) const {
    return i != j && (labels_[static_cast<std::size_t>(i)] == labels_[static_cast<std::size_t>(j)]) ==
                         (kinship == Kinship::kSame);
  }
  // The samples that each one selects: a full sort by (distance, index).
  [[nodiscard]] Matrix named(Kinship kinship, std::size_t k) const {
    Matrix names = Matrix::Zero(60, 60);
    for (Index i = 0; i < 60; ++i) {
      std::vector<std::pair<double, Index>> order;
      for (Index j = 0; j < 60; ++j)
        if (kin(i, j, kinship)) order.emplace_back(D_(i, j), j);
      std::ranges::sort(order);
      for (std::size_t j = 0; j < std::min(k, order.size()); ++j) names(i, order[j].second) = 1;
    }
    return names;
  }
  [[nodiscard]] Matrix graph(const ClassGraphOptions& options, const RunContext& context = {}) const {
    return class_graph(
        labels_, options, [&](Index i, Index j) { return -D_(i, j); }, [&](Index i, Index j) { return weight(i, j); },
        context);
  }
  static double weight(Index i, Index j) { return 1 + static_cast<double>(std::min(i, j) + 100 * std::max(i, j)); }
  static Matrix weighted(const Matrix& adjacency) {
    Matrix W = adjacency;
    for (Index i = 0; i < W.rows(); ++i)
      for (Index j = 0; j < W.cols(); ++j) W(i, j) *= weight(i, j);
    return W;
  }
};

TEST_F(ClassGraph, JoinsTheNearestOfTheKind) {
  for (const Kinship kinship : {Kinship::kSame, Kinship::kDifferent})
    for (const int k : {1, 3, 8, 59}) {
      const Matrix names = named(kinship, static_cast<std::size_t>(k)), other = names.transpose();
      EXPECT_EQ(graph({.kinship = kinship, .n_neighbors = k}), weighted(names.cwiseMax(other))) << k;
      EXPECT_EQ(graph({.kinship = kinship, .n_neighbors = k, .mutual = true}), weighted(names.cwiseMin(other))) << k;
    }
}

TEST_F(ClassGraph, JoinsAllOfTheKindByDefault) {
  for (const Kinship kinship : {Kinship::kSame, Kinship::kDifferent}) {
    Matrix all(60, 60);
    for (Index i = 0; i < 60; ++i)
      for (Index j = 0; j < 60; ++j) all(i, j) = kin(i, j, kinship) ? 1 : 0;
    EXPECT_EQ(graph({.kinship = kinship}), weighted(all));
    EXPECT_EQ(graph({.kinship = kinship, .mutual = true}), weighted(all));
  }
}

TEST_F(ClassGraph, BreaksTiesByIndex) {
  const Matrix W = class_graph(
      {0, 0, 0, 0, 1}, {.n_neighbors = 1}, [](Index, Index) { return 0.0; }, [](Index, Index) { return 1.0; });
  Matrix expected = Matrix::Zero(5, 5);  // 0 selects 1; the others of the class select 0
  for (const Index j : {1, 2, 3}) expected(0, j) = expected(j, 0) = 1;
  EXPECT_EQ(W, expected);
}

TEST_F(ClassGraph, HasNoEdgeWhereTheWeightIsZero) {
  const SparseMatrix W = class_graph(
      labels_, {.n_neighbors = 4}, [&](Index i, Index j) { return -D_(i, j); },
      [](Index i, Index j) { return i % 2 == j % 2 ? 1.0 : 0.0; });
  const Matrix names = named(Kinship::kSame, 4), other = names.transpose();
  Matrix expected = names.cwiseMax(other);
  for (Index i = 0; i < 60; ++i)
    for (Index j = 0; j < 60; ++j)
      if (i % 2 != j % 2) expected(i, j) = 0;
  EXPECT_EQ(Matrix(W), expected);
  EXPECT_EQ(W.nonZeros(), static_cast<Index>(expected.sum()));
}

// 60 bytes per edge: the pairs of equal labels, or the others.
TEST_F(ClassGraph, RefusesAllPairsBeyondTheMemoryLimit) {
  double same = 0;
  for (Index i = 0; i < 60; ++i)
    for (Index j = 0; j < 60; ++j) same += i == j || kin(i, j, Kinship::kSame) ? 1 : 0;
  const double different = 60 * 60 - same;
  for (const auto& [kinship, pairs, words] :
       {std::tuple{Kinship::kSame, same, "a class"}, std::tuple{Kinship::kDifferent, different, "different classes"}}) {
    EXPECT_NO_THROW((void)graph({.kinship = kinship}, {.memory_limit = 60 * pairs}));
    const std::string text =
        message_of<InvalidArgument>([&] { (void)graph({.kinship = kinship}, {.memory_limit = 60 * pairs - 1}); });
    EXPECT_TRUE(contains(text, words)) << text;
    EXPECT_TRUE(contains(text, "join the nearest only")) << text;
    EXPECT_NO_THROW((void)graph({.kinship = kinship, .n_neighbors = 5}, {.memory_limit = 1}));
  }
}

}  // namespace
}  // namespace foldout
