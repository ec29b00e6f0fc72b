// SPDX-License-Identifier: Apache-2.0
#include "linalg/row_space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "linalg/svd.h"

namespace foldout {
namespace {

// n × d with the given singular values.
Matrix with_singular_values(Index n, Index d, const Vector& s) {
  const Svd left = thin_svd(Rng(1).normal_matrix(n, s.size())), right = thin_svd(Rng(2).normal_matrix(d, s.size()));
  return left.U * s.asDiagonal() * right.U.transpose();
}

Vector from_one_to(double last, Index count) {
  Vector s(count);
  for (Index i = 0; i < count; ++i) s[i] = std::pow(last, static_cast<double>(i) / static_cast<double>(count - 1));
  return s;
}

struct Shape {
  const char* name;
  Index n, d;
};
class RowSpaces : public testing::TestWithParam<Shape> {};

TEST_P(RowSpaces, ReproduceTheMatrix) {
  const auto [name, n, d] = GetParam();
  for (const double last : {1e-2, 1e-6, 1e-9}) {
    const Matrix A = with_singular_values(n, d, from_one_to(last, std::min(n, d)));
    const RowSpace space = row_space(A, 1e-11, 0);
    const Index r = space.s.size();
    EXPECT_EQ(r, std::min(n, d)) << last;
    EXPECT_LT((space.V.transpose() * space.V - Matrix::Identity(r, r)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((space.U * space.s.asDiagonal() * space.V.transpose() - A).norm(), 1e-13 * std::sqrt(A.size()));
    EXPECT_LT((space.U.transpose() * space.U - Matrix::Identity(r, r)).cwiseAbs().maxCoeff(),
              last < 1e-3 ? 1e-2 : 1e-8);
  }
}

TEST_P(RowSpaces, LeaveOutWhatIsNegligible) {
  const auto [name, n, d] = GetParam();
  Vector s = from_one_to(1e-3, std::min(n, d));
  s.tail(s.size() / 2) *= 1e-11;
  const Matrix A = with_singular_values(n, d, s);
  EXPECT_EQ(row_space(A, 1e-10, 0).s.size(), s.size() - s.size() / 2);
  EXPECT_EQ(row_space(A, 1e-10, 0.5).s.size(), (s.array() > 0.5).count());
  EXPECT_EQ(row_space(Matrix::Zero(n, d), 1e-10, 0).s.size(), 0);
}

TEST_P(RowSpaces, DoNotDependOnTheUnit) {
  const auto [name, n, d] = GetParam();
  const Matrix A = with_singular_values(n, d, from_one_to(1e-6, std::min(n, d)));
  const RowSpace space = row_space(A, 1e-10, 0);
  for (const int power : {-600, 600}) {
    const RowSpace scaled = row_space(A * std::ldexp(1.0, power), 1e-10, 0);
    ASSERT_EQ(scaled.s.size(), space.s.size());
    EXPECT_LT(((scaled.s * std::ldexp(1.0, -power)) - space.s).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((scaled.U - space.U).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST_P(RowSpaces, AreTheSameOnTwoThreads) {
  const auto [name, n, d] = GetParam();
  const Matrix A = with_singular_values(n, d, from_one_to(1e-7, std::min(n, d)));
  EXPECT_EQ(row_space(A, 1e-10, 0, {.n_threads = 1}).U, row_space(A, 1e-10, 0, {.n_threads = 2}).U);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RowSpaces,
                         testing::Values(Shape{"small", 90, 30}, Shape{"tall", 900, 260}, Shape{"wide", 250, 700},
                                         Shape{"square", 300, 300}, Shape{"short", 40, 500}),
                         [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace foldout
