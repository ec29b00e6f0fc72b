// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/example.h"
#include "foldout/core/error.h"
#include "foldout/data/synthetic.h"
#include "foldout/evaluate/metrics.h"

namespace foldout {
namespace {

// Independent values, by numpy 1.24: distances by scipy's cdist, sorted.
TEST(IntrinsicDimension, AgreesWithNumpy) {
  const Example e;
  EXPECT_NEAR(intrinsic_dimension(e.X, {.n_neighbors = 10}), 3.109655786471344, 1e-10);
  EXPECT_NEAR(intrinsic_dimension(e.X, {.n_neighbors = 3}), 3.3204983244625246, 1e-10);
  EXPECT_NEAR(two_neighbor_dimension(e.X), 3.3445938120985557, 1e-10);
}

TEST(IntrinsicDimension, OfASurfaceIsTwo) {
  const Matrix X = make_swiss_roll(2000).samples;
  EXPECT_NEAR(intrinsic_dimension(X, {.n_neighbors = 10}), 2, 0.15);
  EXPECT_NEAR(two_neighbor_dimension(X), 2, 0.15);
}

TEST(IntrinsicDimension, DoesNotChangeWithScaleShiftAndDuplicates) {
  const Example e;
  Matrix twice(120, 4);
  twice << e.X, e.X;
  const Matrix moved = (3 * e.X).rowwise() + Eigen::RowVectorXd::Constant(4, 7.0);
  EXPECT_DOUBLE_EQ(intrinsic_dimension(twice), intrinsic_dimension(e.X));
  EXPECT_DOUBLE_EQ(two_neighbor_dimension(twice), two_neighbor_dimension(e.X));
  EXPECT_NEAR(intrinsic_dimension(moved), intrinsic_dimension(e.X), 1e-9);
  EXPECT_NEAR(two_neighbor_dimension(moved), two_neighbor_dimension(e.X), 1e-9);
}

TEST(IntrinsicDimension, RefusesWhatHasNoDimension) {
  const Example e;
  EXPECT_THROW((void)intrinsic_dimension(e.X, {.n_neighbors = 1}), InvalidArgument);
  EXPECT_THROW((void)intrinsic_dimension(e.X, {.n_neighbors = 60}), InvalidArgument);
  EXPECT_THROW((void)intrinsic_dimension(Matrix::Ones(9, 2)), InvalidArgument);
  EXPECT_THROW((void)two_neighbor_dimension(Matrix::Identity(9, 9)), NumericalError);
  Matrix broken = e.X;
  broken(0, 0) = std::nan("");
  EXPECT_THROW((void)two_neighbor_dimension(broken), InvalidArgument);
}

}  // namespace
}  // namespace foldout
