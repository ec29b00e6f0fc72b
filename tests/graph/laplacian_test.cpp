// SPDX-License-Identifier: Apache-2.0
#include "graph/laplacian.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace foldout {
namespace {

// A symmetric matrix of weights, half of them zero, with or without loops.
Matrix random_weights(Index n, bool loops) {
  const Matrix U = Rng(1).uniform_matrix(n, n);
  Matrix W = (U + U.transpose()) / 2;
  W = (W.array() > 0.5).select(W, 0.0);
  if (!loops) W.diagonal().setZero();
  return W;
}

TEST(Laplacian, IsDegreesMinusWeights) {
  for (const bool loops : {false, true}) {
    const Matrix W = random_weights(30, loops);
    Matrix L = -W;
    L.diagonal() += W.rowwise().sum();
    const SparseMatrix found = laplacian(W.sparseView());
    EXPECT_LT((Matrix(found) - L).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((found * Vector::Ones(30)).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_TRUE(found.isCompressed());
  }
}

TEST(NormalizedLaplacian, IsScaledFromBothSides) {
  for (const bool loops : {false, true}) {
    const Matrix W = random_weights(30, loops);
    const Vector degrees = W.rowwise().sum();
    const Matrix found = normalized_laplacian(W.sparseView(), degrees), adjacency = normalized_adjacency(W, degrees);
    for (Index i = 0; i < 30; ++i)
      for (Index j = 0; j < 30; ++j) {
        const double scaled = W(i, j) / std::sqrt(degrees[i] * degrees[j]);
        EXPECT_NEAR(adjacency(i, j), scaled, 1e-14);
        EXPECT_NEAR(found(i, j), (i == j ? 1 : 0) - scaled, 1e-14);
      }
    EXPECT_LT((found * degrees.cwiseSqrt()).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(Laplacian, HasADiagonalEvenForANodeWithoutEdges) {
  SparseMatrix W(3, 3);
  W.insert(0, 2) = 2;
  W.insert(2, 0) = 2;
  const SparseMatrix L = laplacian(W);
  EXPECT_EQ(L.nonZeros(), 5);
  EXPECT_EQ(L.coeff(1, 1), 0);
  EXPECT_EQ(L.coeff(0, 0), 2);
}

}  // namespace
}  // namespace foldout
