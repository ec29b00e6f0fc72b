// SPDX-License-Identifier: Apache-2.0
#include "foldout/preprocess/preprocess.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "foldout/core/error.h"
#include "support/errors.h"

namespace foldout {
namespace {

TEST(HistogramEqualization, IsTheFractionOfPixelsThatAreNotBrighter) {
  const Matrix X = (Rng(1).uniform_matrix(12, 200) * 255).array().floor();
  Matrix scaled = X;
  scaled(0, 0) = 0;
  scaled(0, 1) = 256;  // bins of width one
  const Matrix Z = fit_histogram_equalization(scaled, {.levels = 64})->apply(scaled);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j < 200; ++j) {
      const double value = std::min(255.0, scaled(i, j));
      const double share = static_cast<double>((scaled.row(i).array().min(255.0) <= value).count()) / 200;
      EXPECT_NEAR(Z(i, j), std::round(share * 63) / 63, 1e-15);
    }
}

TEST(HistogramEqualization, ClampsValuesToTheTrainingRange) {
  Matrix train(1, 4), fresh(1, 4);
  train << 0, 10, 20, 30;
  fresh << -100, 0, 30, 1000;
  const Matrix Z = fit_histogram_equalization(train, {.levels = 5})->apply(fresh);
  EXPECT_EQ(Z(0, 0), Z(0, 1));
  EXPECT_EQ(Z(0, 2), Z(0, 3));
  EXPECT_EQ(Z(0, 0), 0.5);
  EXPECT_EQ(Z(0, 3), 1);
}

TEST(HistogramEqualization, HandlesAConstantImage) {
  const Matrix flat = Matrix::Constant(3, 5, 7.0);
  EXPECT_EQ(fit_histogram_equalization(flat)->apply(flat), Matrix(Matrix::Ones(3, 5)));
  EXPECT_TRUE(fit_histogram_equalization(flat)->apply(Matrix::Ones(1, 5)).allFinite());
}

TEST(HistogramEqualization, NeedsTwoLevels) {
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([] { (void)fit_histogram_equalization(Matrix::Ones(2, 2), {.levels = 1}); }),
               "levels = 1 must be 2 … 65536"));
}

}  // namespace
}  // namespace foldout
