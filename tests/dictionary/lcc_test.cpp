// SPDX-License-Identifier: Apache-2.0
#include "foldout/dictionary/lcc.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "dictionary/improve.h"
#include "dictionary/weighted_lasso.h"
#include "foldout/core/error.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

double objective(const Matrix& Y, const Matrix& D, const Matrix& X, double locality) {
  return (Y - X * D).squaredNorm() / 2 +
         locality * X.cwiseAbs().cwiseProduct(oracle::distances(Y, D).cwiseAbs2()).sum();
}

// Coordinate descent on the residual itself, until convergence.
Matrix textbook_codes(const Matrix& Y, const Matrix& D, double locality) {
  const Matrix penalties = locality * oracle::distances(Y, D).cwiseAbs2();
  Matrix X = Matrix::Zero(Y.rows(), D.rows());
  for (Index i = 0; i < Y.rows(); ++i) {
    Eigen::RowVectorXd r = Y.row(i);
    double change = 1;
    for (int sweep = 0; sweep < 100000 && change > 1e-14; ++sweep) {
      change = 0;
      for (Index j = 0; j < D.rows(); ++j) {
        const double size = D.row(j).squaredNorm(), c = r.dot(D.row(j)) + size * X(i, j);
        const double x = std::copysign(std::max(std::abs(c) - penalties(i, j), 0.0), c) / size;
        change = std::max(change, std::abs(x - X(i, j)));
        r -= (x - X(i, j)) * D.row(j);
        X(i, j) = x;
      }
    }
  }
  return X;
}

TEST(LccCodes, MatchTheTextbook) {
  for (const auto& [K, d] : {std::pair<Index, Index>{8, 20}, {30, 45}, {60, 12}}) {
    const Matrix D = Rng(1).normal_matrix(K, d), Y = Rng(2).normal_matrix(25, d);
    for (const double locality : {1e-3, 0.02, 0.1}) {
      const Matrix codes = lcc_codes(Y, D, locality), expected = textbook_codes(Y, D, locality);
      EXPECT_LE((codes - expected).cwiseAbs().maxCoeff(), 1e-8) << K << " atoms, locality " << locality;
    }
  }
}

// The conditions of the minimum, which is unique in Σ γ_j d_j: |d_jᵀr| ≤ λ‖d_j − y‖² =: p_j, and d_jᵀr = p_j sign(γ_j)
// where γ_j is not 0.
void expect_minimal(const Matrix& Y, const Matrix& D, const Matrix& X, double locality) {
  const Matrix products = (Y - X * D) * D.transpose();
  const Matrix penalties = locality * oracle::distances(Y, D).cwiseAbs2();
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index j = 0; j < D.rows(); ++j) {
      const double tolerance = 1e-9 * Y.row(i).norm() * D.row(j).norm() + 1e-300;
      if (X(i, j) == 0)
        ASSERT_LE(std::abs(products(i, j)), penalties(i, j) + tolerance);
      else
        ASSERT_NEAR(products(i, j), std::copysign(penalties(i, j), X(i, j)), tolerance);
    }
}

TEST(LccCodes, AreMinimal) {
  const Matrix Y = dataset::roll(300), D = dataset::roll(120, 5);
  for (const double locality : {0.0, 1e-4, 0.01, 0.1, 1.0, 100.0}) {
    const SparseMatrix codes = lcc_codes(Y, D, locality);
    expect_minimal(Y, D, codes, locality);
    for (Index i = 0; i < Y.rows(); ++i) EXPECT_LE(codes.row(i).nonZeros(), 3) << "a corner of the minimum";
  }
  const Matrix high = dataset::lifted_roll(200, 40);
  expect_minimal(high, high.topRows(80), lcc_codes(high, high.topRows(80), 0.05), 0.05);
}

TEST(LccCodes, OfHardInputAreMinimal) {
  Matrix D = dataset::repeated(dataset::roll(20), 3), Y = dataset::roll(40);
  D.row(7).setZero();
  D.row(8) = 2 * D.row(9);
  D.row(10) = D.row(11) + D.row(14);
  Y.row(3).setZero();
  for (const double locality : {0.0, 0.01, 1.0}) expect_minimal(Y, D, lcc_codes(Y, D, locality), locality);
  const Matrix line = Vector::LinSpaced(30, -3, 5);
  expect_minimal(line, line, lcc_codes(line, line, 0.1), 0.1);
  EXPECT_TRUE(Matrix(lcc_codes(Matrix::Ones(4, 2), Matrix::Ones(6, 2), 0.1)).allFinite());
}

// From any start, including a code over linearly dependent atoms.
TEST(WeightedLasso, DoesNotDependOnItsStart) {
  const Matrix D = Rng(1).normal_matrix(40, 6), gram = D * D.transpose();
  const Vector y = Rng(2).normal_vector(6), products = D * y, penalties = Vector::Constant(40, 0.3);
  WeightedLasso lasso(gram);
  CodeRow expected;
  lasso.solve(products.data(), penalties.data(), y.norm(), expected);
  ASSERT_FALSE(expected.empty());
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    CodeRow code;
    for (int j = static_cast<int>(rng.below(4)); j < 40; j += 1 + static_cast<int>(rng.below(5)))
      code.emplace_back(j, rng.normal());
    lasso.solve(products.data(), penalties.data(), y.norm(), code);
    ASSERT_EQ(code.size(), expected.size());
    for (std::size_t i = 0; i < code.size(); ++i) {
      EXPECT_EQ(code[i].first, expected[i].first);
      EXPECT_NEAR(code[i].second, expected[i].second, 1e-10);
    }
  }
}

TEST(LccCodes, DoNotDependOnTheOtherRowsOrOnThreads) {
  const Matrix D = dataset::lifted_roll(80, 12, 2), Y = dataset::lifted_roll(700, 12);
  const Matrix all = lcc_codes(Y, D, 0.1, {.n_threads = 2});
  for (const Index i : {0, 57, 699})
    EXPECT_TRUE(dataset::same_bits(lcc_codes(Y.middleRows(i, 1), D, 0.1), all.middleRows(i, 1)));
}

TEST(Lcc, TheObjectiveNeverIncreases) {
  for (const Matrix& Y : {dataset::roll(1000), dataset::lifted_roll(400, 30), Rng(1).normal_matrix(300, 10)})
    for (const double locality : {0.01, 0.1, 1.0}) {
      const Dictionary learnt =
          learn_lcc(Y, {}, {.n_atoms = 60, .locality = locality, .max_iterations = 12, .tolerance = 0});
      ASSERT_EQ(learnt.objective.size(), 12u);
      double before = learnt.objective[0].after_codes;
      for (const auto& [codes, atoms] : learnt.objective) {
        EXPECT_LE(codes, before * (1 + 1e-10));
        EXPECT_LE(atoms, codes * (1 + 1e-10));
        before = atoms;
      }
    }
}

TEST(Lcc, ObjectiveIsThePapers) {
  const Matrix Y = dataset::roll(200), D = dataset::roll(30, 4);
  const Dictionary learnt = improve_lcc(Y, D, {.locality = 0.2, .sum_to_one = false, .max_iterations = 1});
  const Matrix codes = lcc_codes(Y, D, 0.2);
  const double before = objective(Y, D, codes, 0.2), after = objective(Y, learnt.atoms, codes, 0.2);
  EXPECT_NEAR(learnt.objective[0].after_codes, before, 1e-10 * before);
  EXPECT_NEAR(learnt.objective[0].after_atoms, after, 1e-10 * after);
}

// A single atom moves to its minimum at once, where the gradient of the objective is 0.
TEST(Lcc, AnAtomMovesToItsMinimum) {
  const Matrix Y = dataset::blobs(50, 1, 3, 0).array() + 4, D = Y.topRows(1);
  const Matrix codes = lcc_codes(Y, D, 0.2);
  const Matrix moved = improve_lcc(Y, D, {.locality = 0.2, .sum_to_one = false, .max_iterations = 1}).atoms;
  for (Index f = 0; f < 3; ++f) {
    Matrix up = moved, down = moved;
    up(0, f) += 1e-4;
    down(0, f) -= 1e-4;
    EXPECT_NEAR(objective(Y, up, codes, 0.2), objective(Y, down, codes, 0.2), 1e-7);
    EXPECT_GT(objective(Y, up, codes, 0.2), objective(Y, moved, codes, 0.2));
  }
}

// min ½‖y − Dγ‖² + λ Σ|γ_j| ‖d_j − y‖² subject to Σγ = 1: some ν has |d_jᵀr + ν| ≤ p_j for every atom, with equality
// and the sign of γ_j for those in the code.
TEST(Lcc, CodesSumToOne) {
  const Matrix Y = dataset::roll(200), D = dataset::roll(30, 4);
  constexpr double locality = 0.2;
  const Eigen::RowVectorXd mean = Y.colwise().mean();
  const double constant = 100 * std::sqrt((Y.rowwise() - mean).rowwise().squaredNorm().mean());
  Matrix y(200, 4), d(30, 4);
  y << Y.rowwise() - mean, Vector::Constant(200, constant);
  d << D.rowwise() - mean, Vector::Constant(30, constant);
  const Matrix codes = lcc_codes(y, d, locality);
  EXPECT_LE((codes.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-4);
  for (Index i = 0; i < 200; ++i) {
    const Vector p = locality * (D.rowwise() - Y.row(i)).rowwise().squaredNorm();
    const Eigen::RowVectorXd r = Y.row(i) - mean - codes.row(i) * (D.rowwise() - mean);
    const Vector slope = (D.rowwise() - mean) * r.transpose();
    Index most = 0;
    codes.row(i).cwiseAbs().maxCoeff(&most);
    const double nu = std::copysign(p[most], codes(i, most)) - slope[most];
    for (Index j = 0; j < 30; ++j) {
      EXPECT_LE(std::abs(slope[j] + nu), p[j] + 1e-6);
      if (codes(i, j) != 0) {
        EXPECT_NEAR(slope[j] + nu, std::copysign(p[j], codes(i, j)), 1e-6);
      }
    }
  }
  const double found = improve_lcc(Y, D, {.locality = locality, .max_iterations = 1}).objective[0].after_codes;
  EXPECT_NEAR(found, objective(y, d, codes, locality), 1e-6 * found);
  EXPECT_NEAR(found, objective(Y, D, codes, locality), 1e-3 * found) << "without the constant feature";
}

TEST(Lcc, DoesNotDependOnTheOrigin) {
  const Matrix Y = dataset::roll(500), far = Y.array() + 300;
  const LccOptions o{.n_atoms = 60, .max_iterations = 6};
  const Matrix moved = learn_lcc(far, {}, o).atoms.array() - 300;
  EXPECT_LE((moved - learn_lcc(Y, {}, o).atoms).norm(), 1e-6);
  LccOptions plain = o;
  plain.sum_to_one = false;
  const Matrix shrunk = learn_lcc(far, {}, plain).atoms.array() - 300;
  EXPECT_GT((shrunk - learn_lcc(Y, {}, plain).atoms).norm(), 1);
}

TEST(Lcc, ScalesWithTheSamplesAndNeedsNoThreads) {
  const Matrix Y = dataset::lifted_roll(1000, 10);
  const LccOptions o{.n_atoms = 50, .max_iterations = 4};
  const Matrix atoms = learn_lcc(Y, {}, o).atoms;
  EXPECT_TRUE(dataset::same_bits(learn_lcc(Y, {}, o, {.n_threads = 2}).atoms, atoms));
  EXPECT_TRUE(dataset::same_bits(learn_lcc(1024 * Y, {}, o).atoms, 1024 * atoms));
}

TEST(Lcc, BadAndHardInput) {
  const Matrix Y = dataset::roll(30);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)learn_lcc(Y, {}, {.n_atoms = 31}); }),
                       "lcc: n_atoms = 31 must be at most"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)learn_lcc(Y, {}, {.locality = -1}); }), "locality"));
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)learn_lcc(Y, {}, {.n_atoms = 20}, {.memory_limit = 6000}); }),
               "lcc: the products of 20 atoms would take 6.4 kB, but only 6.0 kB are available: lower n_atoms"));
  const Dictionary constant = learn_lcc(Matrix::Ones(40, 3), {}, {.n_atoms = 4});
  EXPECT_LE((constant.atoms - Matrix::Ones(1, 3)).norm(), 1e-12);
  EXPECT_TRUE(learn_lcc(Matrix::Zero(9, 3), {}, {.n_atoms = 2}).atoms.isZero(0));
  Matrix start = Y.topRows(10);
  start.bottomRows(3).array() += 1e4;
  const Dictionary moved = improve_lcc(Y, start, {});
  EXPECT_TRUE(moved.report.has_note("atoms_reseeded"));
  EXPECT_LT(moved.atoms.cwiseAbs().maxCoeff(), 2 * Y.cwiseAbs().maxCoeff());
  std::vector<int> labels(30, 0);
  labels[0] = labels[1] = 1;
  const Dictionary small = learn_lcc(Y, labels, {.atoms_per_class = 4});
  EXPECT_EQ(small.labels, (std::vector<int>{0, 0, 0, 0, 1, 1}));
  EXPECT_TRUE(small.atoms.allFinite());
}

}  // namespace
}  // namespace foldout
