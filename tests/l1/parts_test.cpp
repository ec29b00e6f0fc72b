// SPDX-License-Identifier: Apache-2.0
// The parts of the solver, each against the obvious way.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/random.h"
#include "l1/factor.h"
#include "l1/kernels.h"
#include "l1/simplex.h"
#include "l1/step.h"
#include "linalg/loops.h"

namespace foldout::l1 {
namespace {

TEST(L1Step, EndsWhereTheSlopeTurns) {
  Rng rng(1);
  StepScratch scratch;
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = kLanes * (1 + trial % 9);
    Vector v = rng.normal_vector(n), d = rng.normal_vector(n), s(n);
    if (trial % 3 == 0) v = (2 * v).array().round();  // ties, and values of zero
    for (Index i = 0; i < n; ++i) s[i] = v[i] < 0 ? -1 : 1;
    const double slope = -rng.uniform(0, trial % 2 == 0 ? 5 : static_cast<double>(n));
    const auto change = [&](double t) { return (v + t * d).cwiseAbs().sum() + (slope - s.dot(d)) * t; };
    const Step step = long_step(v.data(), s.data(), d.data(), n, slope, 0, scratch);
    double total = slope;
    for (Index i = 0; i < n; ++i) total += s[i] * d[i] < 0 ? -2 * s[i] * d[i] : 0;
    if (step.leaving < 0) {
      EXPECT_LT(total, 0);
      continue;
    }
    EXPECT_NEAR(v[step.leaving] + step.length * d[step.leaving], 0, 1e-12);
    // No other step along the direction is better.
    for (Index i = 0; i < n; ++i) {
      const double t = std::max(0.0, -v[i] / d[i]);
      EXPECT_LE(change(step.length), change(t) + 1e-9);
    }
    EXPECT_LT(step.slope, 0);
    EXPECT_GE(step.slope + 2 * std::abs(d[step.leaving]), 0);
    std::set<int> passed;
    for (std::size_t c = 0; c < step.passed; ++c) {
      EXPECT_LE(scratch.crossings[c].length, step.length);
      passed.insert(scratch.crossings[c].at);
    }
    EXPECT_EQ(passed.size(), step.passed);
    EXPECT_FALSE(passed.contains(step.leaving));
  }
}

TEST(L1Factor, SolvesBothWays) {
  Rng rng(2);
  Factor factor;
  for (const Index n : {0, 1, 2, 7, 40}) {
    const ColMatrix B = rng.normal_matrix(n, n);
    std::ranges::copy(B.reshaped(), factor.prepare(n).begin());
    ASSERT_TRUE(factor.factorize());
    const Vector b = rng.normal_vector(n);
    Vector x = b, y = b;
    factor.solve({x.data(), static_cast<std::size_t>(n)});
    factor.solve_transposed({y.data(), static_cast<std::size_t>(n)});
    EXPECT_LT((B * x - b).norm(), 1e-10);
    EXPECT_LT((B.transpose() * y - b).norm(), 1e-10);
  }
}

TEST(L1Factor, KnowsSingularMatrices) {
  Factor factor;
  const ColMatrix B = ColMatrix::Ones(3, 3);
  std::ranges::copy(B.reshaped(), factor.prepare(3).begin());
  EXPECT_FALSE(factor.factorize());
}

TEST(L1Kernels, AreWhatTheyStandFor) {
  Rng rng(3);
  for (const Index n : {1, 15, 16, 33, 100}) {
    const Vector a = rng.normal_vector(n), b = rng.normal_vector(n);
    EXPECT_NEAR(dot(a.data(), b.data(), n), a.dot(b), 1e-12);
    const Matrix rows = rng.normal_matrix(5, n);
    Vector out(5);
    dot_rows(out.data(), rows.data(), 5, a.data(), n);
    EXPECT_LT((out - rows * a).norm(), 1e-12);
    const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows32 = rows.cast<float>();
    const Eigen::VectorXf a32 = a.cast<float>();
    Eigen::VectorXf out32(5);
    dot_rows(out32.data(), rows32.data(), 5, a32.data(), n);
    EXPECT_LT((out32.cast<double>() - rows * a).norm(), 1e-4);
  }
}

TEST(L1Kernels, SubtractProducts) {
  Rng rng(4);
  const ColMatrix T = rng.normal_matrix(37, 5);
  const Vector column = rng.normal_vector(37), row = rng.normal_vector(5);
  const ColMatrix expected = T - column * row.transpose();
  ColMatrix doubles = T;
  subtract_outer(doubles.data(), 37, {column.data(), 37}, {row.data(), 5});
  EXPECT_LT((doubles - expected).norm(), 1e-13);
  Eigen::MatrixXf floats = T.cast<float>();
  const Eigen::VectorXf column32 = column.cast<float>(), row32 = row.cast<float>();
  subtract_outer(floats.data(), 37, {column32.data(), 37}, {row32.data(), 5});
  EXPECT_LT((floats.cast<double>() - expected).norm(), 1e-5);
}

struct Problem {
  explicit Problem(std::uint64_t seed) {
    Rng rng(seed);
    atoms = rng.normal_matrix(300, 60).rowwise().normalized();
    const Vector x = rng.normal_vector(60);
    sample.assign(x.begin(), x.end());
    unit_columns = atoms.transpose().cast<float>();
  }
  [[nodiscard]] Columns columns() const {
    return {.by_atom = atoms.data(),
            .by_row = unit_columns.data(),
            .row_stride = atoms.rows(),
            .count = atoms.rows(),
            .inverse_norms = ones,
            .largest_norm = 1};
  }

  Matrix atoms;
  std::vector<double> sample, ones = std::vector<double>(300, 1.0);
  Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> unit_columns;
};

template <typename Real>
double objective(const Problem& problem, const Simplex<Real>& simplex) {
  Eigen::RowVectorXd e = Eigen::Map<const Eigen::RowVectorXd>(problem.sample.data(), problem.atoms.cols());
  double sum = 0;
  for (std::size_t p = 0; p < simplex.atoms().size(); ++p) {
    e -= simplex.coefficients()[p] * problem.atoms.row(simplex.atoms()[p]);
    sum += std::abs(simplex.coefficients()[p]);
  }
  return sum + e.cwiseAbs().sum();
}

// What the simplex in float32 leaves to do is little, and ends where the one in float64 ends alone.
TEST(L1Simplex, InFloatsFirstSavesThePivotsInDoubles) {
  Index rough_pivots = 0, pivots = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem(seed);
    Simplex<double> alone, second;
    alone.start(problem.columns(), problem.sample, 1);
    ASSERT_EQ(alone.run(1000), Outcome::kOptimal);
    Simplex<float> first;
    first.start(problem.columns(), problem.sample, 1);
    ASSERT_EQ(first.run(1000), Outcome::kOptimal);
    EXPECT_NEAR(objective(problem, first), objective(problem, alone), 1e-3);
    second.start(problem.columns(), problem.sample, 1);
    ASSERT_TRUE(second.move_to(first));
    ASSERT_EQ(second.run(1000), Outcome::kOptimal);
    EXPECT_NEAR(objective(problem, second), objective(problem, alone), 1e-12);
    rough_pivots += first.pivots();
    pivots += second.pivots();
  }
  EXPECT_GT(rough_pivots, 20 * 40);
  EXPECT_LT(pivots, rough_pivots / 50);
}

}  // namespace
}  // namespace foldout::l1
