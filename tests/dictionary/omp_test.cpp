// SPDX-License-Identifier: Apache-2.0
#include "dictionary/omp.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "core/random.h"
#include "core/rows.h"
#include "support/datasets.h"

namespace foldout {
namespace {

// Step by step: the residual itself, and a full least squares over the atoms so far.
Vector textbook_omp(const Vector& y, const Matrix& D, int sparsity) {
  std::vector<Index> picked;
  Vector r = y, x;
  while (static_cast<int>(picked.size()) < sparsity) {
    Vector agreement = (D * r).cwiseAbs().cwiseQuotient(D.rowwise().norm());
    for (const Index j : picked) agreement[j] = -1;
    Index best = 0;
    agreement.maxCoeff(&best);
    picked.push_back(best);
    const ColMatrix chosen = dataset::rows_of(D, picked).transpose();
    x = chosen.colPivHouseholderQr().solve(y);
    r = y - chosen * x;
  }
  Vector code = Vector::Zero(D.rows());
  for (std::size_t k = 0; k < picked.size(); ++k) code[picked[k]] = x[static_cast<Index>(k)];
  return code;
}

TEST(Omp, MatchesTheTextbook) {
  for (const auto& [K, d] : {std::pair<Index, Index>{60, 20}, {15, 40}, {300, 8}}) {
    const Matrix D = Rng(1).normal_matrix(K, d), Y = Rng(2).normal_matrix(40, d);
    for (const int sparsity : {1, 2, 5, 8}) {
      const Matrix codes = omp_codes(Y, D, sparsity);
      for (Index i = 0; i < Y.rows(); ++i)
        EXPECT_LE((codes.row(i).transpose() - textbook_omp(Y.row(i), D, sparsity)).norm(), 1e-9)
            << K << " atoms, " << sparsity << " in a code";
    }
  }
}

TEST(Omp, FindsTheAtomsOfACombination) {
  const Matrix D = Rng(3).normal_matrix(50, 100);
  Matrix X = Matrix::Zero(20, 50);
  for (Index i = 0; i < 20; ++i) {
    X(i, i) = 1;
    X(i, i + 20) = -2;
    X(i, 49) = 0.5;
  }
  const SparseMatrix codes = omp_codes(X * D, D, 3);
  EXPECT_LE((Matrix(codes) - X).norm(), 1e-12);
  // No more are used once the residual is zero.
  EXPECT_EQ(omp_codes(X * D, D, 10).nonZeros(), 60);
}

TEST(Omp, HardInput) {
  Matrix D = Rng(1).normal_matrix(10, 4), Y = Rng(2).normal_matrix(6, 4);
  D.row(3) = D.row(2);
  D.row(5).setZero();
  Y.row(1).setZero();
  Y.row(2) = 7 * D.row(2);
  const SparseMatrix codes = omp_codes(Y, D, 20);
  EXPECT_TRUE(Matrix(codes).allFinite());
  EXPECT_EQ(Matrix(codes).row(1).norm(), 0);
  EXPECT_NEAR(codes.coeff(2, 2), 7, 1e-12) << "the first of equal atoms";
  EXPECT_EQ(codes.row(2).nonZeros(), 1);
  EXPECT_EQ(Matrix(codes).col(5).norm(), 0);
  EXPECT_LE((codes * D - Y).norm(), 1e-9) << "four atoms reconstruct every sample of four features";
  EXPECT_LE(codes.nonZeros(), 6 * 4);
}

TEST(Omp, DoesNotDependOnTheOtherRowsOrOnThreads) {
  const Matrix D = Rng(1).normal_matrix(80, 12), Y = Rng(2).normal_matrix(700, 12);
  const Matrix all = omp_codes(Y, D, 4, {.n_threads = 2});
  EXPECT_TRUE(dataset::same_bits(omp_codes(Y, D, 4), all));
  for (const Index i : {0, 57, 699})
    EXPECT_TRUE(dataset::same_bits(omp_codes(Y.middleRows(i, 1), D, 4), all.middleRows(i, 1)));
}

}  // namespace
}  // namespace foldout
