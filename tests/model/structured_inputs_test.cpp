// SPDX-License-Identifier: Apache-2.0
// Every method on inputs with symmetries, whose matrices have repeated eigenvalues or break an iteration down: it
// returns finite coordinates, or refuses the request by a rule. No solver may give up.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "foldout/core/error.h"
#include "foldout/model/model.h"
#include "model/methods.h"
#include "support/datasets.h"

namespace foldout {
namespace {

Matrix line(Index n) {
  Matrix X(n, 3);
  for (Index i = 0; i < n; ++i)
    X.row(i) = static_cast<double>(i) / static_cast<double>(n) * Eigen::RowVector3d(1, 2, 3);
  return X;
}

Matrix grid(Index side) {
  Matrix X(side * side, 2);
  for (Index i = 0; i < X.rows(); ++i) X.row(i) << static_cast<double>(i / side), static_cast<double>(i % side);
  return X;
}

Matrix circle(Index n) {
  Matrix X(n, 2);
  for (Index i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    X.row(i) << std::cos(angle), std::sin(angle);
  }
  return X;
}

// Copies of a small grid at the corners of a simplex, far apart.
Matrix far_grids(Index copies, double distance) {
  const Matrix one = grid(6);
  Matrix X = Matrix::Zero(copies * one.rows(), copies);
  for (Index c = 0; c < copies; ++c) {
    X.block(c * one.rows(), 0, one.rows(), 2) = one;
    X.block(c * one.rows(), c, one.rows(), 1).array() += distance;
  }
  return X;
}

class StructuredInput : public testing::TestWithParam<std::string> {
 protected:
  static void expect_answer(const Matrix& samples, const std::string& keys = "") {
    const std::string spec = keys.empty() ? GetParam() : GetParam() + ":" + keys;
    try {
      const Model model = fit_model(dataset::labelled(samples), {.method = spec});
      EXPECT_TRUE(model.coordinates.allFinite()) << spec;
      EXPECT_TRUE(model.transform(samples.topRows(5)).allFinite()) << spec;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(": "), std::string::npos) << error.what() << " names no remedy";
    } catch (const NumericalError& error) {
      ADD_FAILURE() << spec << " gave up: " << error.what();
    }
  }
};

TEST_P(StructuredInput, OnALine) {
  expect_answer(line(150), "n_components=1");
  expect_answer(line(300), "n_components=1");
}

TEST_P(StructuredInput, OnAGrid) {
  expect_answer(grid(13));
  expect_answer(grid(17));
}

TEST_P(StructuredInput, OnACircle) {
  expect_answer(circle(150));
  expect_answer(circle(270));
}

TEST_P(StructuredInput, OfEquidistantSamples) {
  expect_answer(Matrix::Identity(150, 150));
  expect_answer(Matrix::Identity(260, 260));
}

TEST_P(StructuredInput, OfEqualPartsFarApart) {
  expect_answer(far_grids(5, 100));
  expect_answer(far_grids(9, 1e6));
}

INSTANTIATE_TEST_SUITE_P(Methods, StructuredInput, testing::ValuesIn(method_names()));

}  // namespace
}  // namespace foldout
