// SPDX-License-Identifier: Apache-2.0
#include "core/ordered_sum.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"
#include "core/sample_rows.h"

namespace foldout {
namespace {

Sums summand(Index part) {
  Sums sums;
  sums.dense = Rng(1).stream(static_cast<std::uint64_t>(part)).normal_matrix(1, 3);
  sums.sparse = SparseMatrix(4, 4);
  sums.dense *= std::ldexp(1.0, static_cast<int>(part % 40));  // of very different size: the order matters
  sums.sparse.insert(part % 4, part % 3) = sums.dense(0, 0);
  sums.sparse.makeCompressed();
  return sums;
}

OrderedSum sum_of(Index begin, Index end) {
  OrderedSum sum;
  for (Index part = begin; part < end; ++part) sum.add({part, 0, summand(part)});
  return sum;
}

// A sum over a range that is halved at the largest power of two below its length.
Matrix by_halves(Index begin, Index end) {
  if (end - begin == 1) return summand(begin).dense;
  Index half = 1;
  while (2 * half < end - begin) half *= 2;
  return by_halves(begin, begin + half) + by_halves(begin + half, end);
}

TEST(OrderedSum, IsABalancedTreeOverTheParts) {
  for (const Index n : {1, 2, 3, 7, 64, 77}) EXPECT_EQ(sum_of(0, n).total().dense, by_halves(0, n)) << n;
}

TEST(OrderedSum, DoesNotDependOnHowThePartsAreDivided) {
  constexpr Index kParts = 77;
  const Sums whole = sum_of(0, kParts).total();
  for (const std::vector<Index>& cuts : {std::vector<Index>{38}, {26, 51}, {19, 20, 60}, {0, 1, 1, 76, 77}}) {
    OrderedSum joined;
    Index begin = 0;
    std::vector<Index> edges = cuts;
    edges.push_back(kParts);
    for (const Index end : edges) {
      const OrderedSum part = sum_of(begin, end);
      EXPECT_LE(part.nodes().size(), 12u);
      for (const OrderedSum::Node& node : part.nodes()) joined.add(node);
      begin = end;
    }
    const Sums sums = std::move(joined).total();
    EXPECT_EQ(sums.dense, whole.dense);
    EXPECT_EQ(Matrix(sums.sparse), Matrix(whole.sparse));
  }
}

TEST(SampleRows, SumsDoNotDependOnThreads) {
  const Matrix X = Rng(2).normal_matrix(3 * SampleRows::kPart + 5, 2);
  const AllRows rows(X);
  const auto sum = [&](int threads) {
    const Sums sums = sum_over(rows, {.n_threads = threads}, [&](Index begin, Index end) {
      Sums part;
      part.dense = X.middleRows(begin, end - begin).colwise().sum();
      return part;
    });
    return sums.dense;
  };
  EXPECT_EQ(sum(1), sum(4));
  EXPECT_TRUE(sum(1).isApprox(Matrix(X.colwise().sum()), 1e-12));
  EXPECT_NEAR(sum_over(rows, X.col(0)), X.col(0).sum(), 1e-10);
}

TEST(SampleRows, LargestAreInDescendingOrderAndTheFirstOfEquals) {
  const Matrix X = Matrix::Zero(6, 1);
  Vector values(6);
  values << 1, 3, 0, 3, -2, 2;
  const std::vector<Ranked> found = largest(AllRows(X), values, 9);
  ASSERT_EQ(found.size(), 4u) << "those above 0";
  EXPECT_EQ(found[0].row, 1);
  EXPECT_EQ(found[1].row, 3);
  EXPECT_EQ(found[2].row, 5);
  EXPECT_EQ(found[3].row, 0);
  EXPECT_EQ(largest(AllRows(X), values, 2).size(), 2u);
}

}  // namespace
}  // namespace foldout
