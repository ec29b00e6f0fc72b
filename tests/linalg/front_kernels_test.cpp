// SPDX-License-Identifier: Apache-2.0
#include "linalg/front_kernels.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "core/random.h"

namespace foldout {
namespace {

// A front of a random positive definite matrix: its first columns, padded, and what the dense factor makes of them.
struct Front {
  Index own, count, ld;
  ColMatrix L11, L21;
  std::vector<double> panel;

  Front(Index own_columns, Index rows_below) : own(own_columns), count(rows_below), ld(own + padded(count)) {
    const Index n = own + count;
    const ColMatrix R = Rng(7).normal_matrix(n, n + 2);
    const ColMatrix A = R * R.transpose();
    const ColMatrix L = A.llt().matrixL();
    L11 = L.topLeftCorner(own, own);
    L21 = L.bottomLeftCorner(count, own);
    panel.assign(static_cast<std::size_t>(ld * own), 0);
    for (Index j = 0; j < own; ++j)
      for (Index i = j; i < n; ++i) panel[static_cast<std::size_t>(j * ld + i)] = A(i, j);
  }
  [[nodiscard]] double at(Index i, Index j) const { return panel[static_cast<std::size_t>(j * ld + i)]; }
};

TEST(FrontKernels, FactorFrontsOfAnyShape) {
  for (Index own = 1; own <= 13; ++own)
    for (const Index count : {0, 1, 3, 4, 7, 8, 12, 21}) {
      Front front(own, count);
      ASSERT_TRUE(factor_front(front.panel.data(), front.ld, own));
      for (Index j = 0; j < own; ++j) {
        for (Index i = j; i < own; ++i) ASSERT_NEAR(front.at(i, j), front.L11(i, j), 1e-10) << own << " " << count;
        for (Index i = 0; i < count; ++i) ASSERT_NEAR(front.at(own + i, j), front.L21(i, j), 1e-10);
        for (Index i = own + count; i < front.ld; ++i) ASSERT_EQ(front.at(i, j), 0);
      }
      const Index size = front.ld - own;
      std::vector<double> update(static_cast<std::size_t>(size * size));
      update_of_front(front.panel.data(), front.ld, own, update.data());
      const ColMatrix product = front.L21 * front.L21.transpose();
      for (Index j = 0; j < count; ++j)
        for (Index i = j; i < count; ++i)
          ASSERT_NEAR(update[static_cast<std::size_t>(j * size + i)], -product(i, j), 1e-10);
    }
}

TEST(FrontKernels, RefuseWhatIsNotDefinite) {
  for (Index own = 1; own <= 9; ++own) {
    Front front(own, 5);
    front.panel[static_cast<std::size_t>((own - 1) * front.ld + own - 1)] = -1;
    EXPECT_FALSE(factor_front(front.panel.data(), front.ld, own)) << own;
  }
}

TEST(FrontKernels, SolveForAnyNumberOfColumns) {
  for (const Index own : {1, 2, 4, 5, 11})
    for (const Index count : {0, 1, 6, 9})
      for (const Index width : {4, 8, 12, 16}) {
        Front front(own, count);
        ASSERT_TRUE(factor_front(front.panel.data(), front.ld, own));
        std::vector<int> rows(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(3 + own + 2 * static_cast<Index>(i));
        const Matrix B = Rng(8).normal_matrix(3 + own + 2 * count, width);
        const Matrix below = B(rows, Eigen::all);
        const Matrix X1 = front.L11.triangularView<Eigen::Lower>().solve(ColMatrix(B.middleRows(3, own)));
        Matrix X = B;
        solve_front(front.panel.data(), front.ld, own, 3, rows.data(), count, width, X.data());
        EXPECT_LT((X.middleRows(3, own) - X1).norm(), 1e-10);
        EXPECT_LT((Matrix(X(rows, Eigen::all)) - (below - front.L21 * X1)).norm(), 1e-10);
        EXPECT_EQ(X.topRows(3), B.topRows(3));
        X = B;
        solve_front_transposed(front.panel.data(), front.ld, own, 3, rows.data(), count, width, X.data());
        const ColMatrix right = B.middleRows(3, own) - front.L21.transpose() * below;
        const ColMatrix expected = front.L11.transpose().triangularView<Eigen::Upper>().solve(right);
        EXPECT_LT((X.middleRows(3, own) - expected).norm(), 1e-10) << own << " " << count << " " << width;
      }
}

}  // namespace
}  // namespace foldout
