// SPDX-License-Identifier: Apache-2.0
#include "linalg/elimination_tree.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.h"

namespace foldout {
namespace {

// n nodes, each joined to `degree` random ones; few edges leave many components.
SparseMatrix random_pattern(Index n, int degree, std::uint64_t seed) {
  Rng rng(seed);
  Matrix A = Matrix::Identity(n, n);
  for (Index i = 0; i < n; ++i)
    for (int edge = 0; edge < degree; ++edge) {
      const auto j = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
      if (rng.uniform(0, 1) < 0.7) A(i, j) = A(j, i) = 1;
    }
  return A.sparseView();
}

// The pattern of the factor by eliminating one node after another.
Matrix eliminated(const SparseMatrix& A, const std::vector<int>& order) {
  const Index n = A.rows();
  const Matrix dense = A;
  Matrix L(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      L(i, j) = dense(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]) != 0 ? 1 : 0;
  for (Index k = 0; k < n; ++k)
    for (Index i = k + 1; i < n; ++i)
      for (Index j = k + 1; j < n; ++j)
        if (L(i, k) != 0 && L(j, k) != 0) L(i, j) = 1;
  return L;
}

TEST(EliminationTree, IsThatOfTheDensePattern) {
  for (const int degree : {1, 2, 5})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Index n = 70;
      const SparseMatrix A = random_pattern(n, degree, seed);
      const EliminationTree tree(A);
      const Matrix L = eliminated(A, tree.order);
      for (Index j = 0; j < n; ++j) {
        const auto below = L.col(j).tail(n - j - 1);
        int first = -1;
        for (Index i = n - 1; i > j; --i)
          if (L(i, j) != 0) first = static_cast<int>(i);
        ASSERT_EQ(tree.counts[static_cast<std::size_t>(j)], static_cast<int>(below.sum()));
        ASSERT_EQ(tree.parent[static_cast<std::size_t>(j)], first);
      }
    }
}

TEST(EliminationTree, HasContiguousSubtrees) {
  const EliminationTree tree(random_pattern(200, 1, 4));
  std::vector<int> size(200, 1);
  for (std::size_t j = 0; j < 200; ++j) {
    // The children of j end just before it, one before the other.
    int last = static_cast<int>(j) - 1, in_children = 0;
    for (; last >= 0 && tree.parent[static_cast<std::size_t>(last)] == static_cast<int>(j);
         last -= size[static_cast<std::size_t>(last)])
      in_children += size[static_cast<std::size_t>(last)];
    size[j] += in_children;
  }
  std::vector<int> descendants(200, 1);
  for (std::size_t j = 0; j < 200; ++j)
    if (tree.parent[j] >= 0) descendants[static_cast<std::size_t>(tree.parent[j])] += descendants[j];
  EXPECT_EQ(size, descendants);
}

}  // namespace
}  // namespace foldout
