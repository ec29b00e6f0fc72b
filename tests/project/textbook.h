// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "foldout/project/projection.h"
#include "support/datasets.h"
#include "support/oracles.h"

namespace foldout {

/// Samples with classes, and the eigenproblem A v = λ B v that a map of them should solve.
class Textbook : public testing::Test {
 protected:
  const Matrix X_ = dataset::lifted_roll(80, 7);
  const std::vector<int> labels_ = dataset::classes(X_);
  const Matrix centered_ = X_.rowwise() - X_.colwise().mean();

  [[nodiscard]] Matrix same_class() const {
    Matrix W = Matrix::Zero(80, 80);
    for (Index i = 0; i < 80; ++i)
      for (Index j = 0; j < 80; ++j) W(i, j) = i != j && labels_[i] == labels_[j] ? 1 : 0;
    return W;
  }
  static Matrix degrees(const Matrix& W) { return Vector(W.rowwise().sum()).asDiagonal(); }
  static Matrix laplacian(const Matrix& W) { return degrees(W) - W; }
  // The pairs of A v = λ B v that `fit` should have found, at one end of the spectrum.
  void expect_solution(const ProjectionFit& fit, const Matrix& A, const Matrix& B, bool largest) const {
    const oracle::Pairs pairs = oracle::generalised_eigenpairs(A, B);
    const Matrix V = fit.map->matrix();
    for (Index k = 0; k < V.cols(); ++k) {
      const Index at = largest ? A.rows() - 1 - k : k;
      const Vector expected = pairs.vectors.col(at).normalized(), ours = V.col(k).normalized();
      EXPECT_LT(std::min((ours - expected).norm(), (ours + expected).norm()), 1e-6) << k;
      EXPECT_NEAR(fit.eigenvalues[k], pairs.values[at], 1e-8 * std::max(1.0, std::abs(pairs.values[at])));
    }
  }
  static Matrix with_ridge(const Matrix& M, double ridge) {
    return M + ridge * M.trace() / static_cast<double>(M.rows()) * Matrix::Identity(M.rows(), M.cols());
  }
};

}  // namespace foldout
