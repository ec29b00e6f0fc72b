// SPDX-License-Identifier: Apache-2.0
#include "foldout/dictionary/llc.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "core/random.h"
#include "core/rows.h"
#include "dictionary/improve.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

// Eq. (3) as written: the Lagrange conditions, by a general solver.
Vector textbook_code(const Eigen::RowVectorXd& y, const Matrix& B, const LlcWeights& weights, double* cost = nullptr) {
  const Matrix Z = B.rowwise() - y;
  const Vector distances = Z.rowwise().norm();
  const Vector e = ((distances.array() - distances.maxCoeff()) / weights.sigma).exp();
  const double scale = weights.locality * weights.sigma * weights.sigma;
  const Matrix system = Z * Z.transpose() + Matrix((scale * e.cwiseAbs2()).asDiagonal());
  Vector c = system.fullPivLu().solve(Vector::Ones(B.rows()));
  c /= c.sum();
  if (cost != nullptr) *cost = (y - c.transpose() * B).squaredNorm() + scale * e.cwiseProduct(c).squaredNorm();
  return c;
}

TEST(LlcCodes, MatchTheTextbook) {
  for (const auto& [K, d] : {std::pair<Index, Index>{60, 5}, {60, 59}, {20, 50}}) {
    const Matrix B = Rng(1).normal_matrix(K, d), Y = Rng(2).normal_matrix(30, d);
    for (const LlcWeights& weights : {LlcWeights{0.1, 2}, {10, 5}, {1, 1}}) {
      const Matrix codes = llc_codes(Y, B, weights);
      for (Index i = 0; i < Y.rows(); ++i)
        EXPECT_LE((codes.row(i).transpose() - textbook_code(Y.row(i), B, weights)).norm(), 1e-7) << K << " " << d;
    }
  }
}

TEST(LlcCodes, AreFiniteAndSumToOneForAnySigma) {
  Matrix B = dataset::roll(50);
  B.row(1) = B.row(0);
  const Matrix wide = dataset::lifted_roll(50, 80);
  for (const double sigma : {1e-300, 1e-3, 1.0, 1e3, 1e100})
    for (const double locality : {0.0, 0.01, 100.0})
      for (const Matrix& codes : {llc_codes(B, B, {locality, sigma}), llc_codes(wide, wide, {locality, sigma})}) {
        ASSERT_TRUE(codes.allFinite());
        EXPECT_LE((codes.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-8);
      }
  // The smallest σ uses the nearest atom alone.
  const Matrix Y = dataset::roll(40, 9), codes = llc_codes(Y, B, {0.01, 1e-300});
  const NeighborTable nearest = oracle::nearest(B, Y, 1);
  for (Index i = 2; i < 40; ++i)
    if (const int j = nearest.of(i)[0]; j > 1) {
      EXPECT_EQ(codes(i, j), 1);
    }
}

// Algorithm 4.1 step by step, each code and fit by general solvers.
Matrix textbook_pass(const Matrix& Y, Matrix B, const LlcWeights& weights, std::uint64_t seed) {
  double seen = 0;
  for (const Index i : Rng(seed).stream(1).permutation(Y.rows())) {
    const Vector all = textbook_code(Y.row(i), B, weights);
    std::vector<Index> kept;
    for (Index j = 0; j < B.rows(); ++j)
      if (std::abs(all[j]) > 0.01) kept.push_back(j);
    // Affine fit: the coefficient of the last atom completes the sum.
    const Matrix chosen = dataset::rows_of(B, kept);
    const Index n = chosen.rows();
    const ColMatrix edges = (chosen.topRows(n - 1).rowwise() - chosen.row(n - 1)).transpose();
    Vector c(n);
    c.head(n - 1) = edges.colPivHouseholderQr().solve((Y.row(i) - chosen.row(n - 1)).transpose());
    c[n - 1] = 1 - c.head(n - 1).sum();
    const Eigen::RowVectorXd left = Y.row(i) - c.transpose() * chosen;
    const double mu = std::min(std::sqrt(1 / ++seen), 1 / (2 * c.norm()));
    for (Index k = 0; k < n; ++k) B.row(kept[static_cast<std::size_t>(k)]) += 2 * mu * c[k] * left / c.norm();
  }
  return B;
}

TEST(Llc, OnePassMatchesTheTextbook) {
  for (const auto& [K, d] : {std::pair<Index, Index>{6, 20}, {24, 20}}) {
    const Matrix Y = Rng(1).normal_matrix(60, d), start = Y.topRows(K) + 0.3 * Rng(2).normal_matrix(K, d);
    const LlcWeights weights{1, 2};
    const Dictionary learnt =
        improve_llc(Y, start, {.locality = weights.locality, .sigma = weights.sigma, .max_iterations = 1, .seed = 3});
    const Matrix expected = textbook_pass(Y, start, weights, 3);
    EXPECT_LE((learnt.atoms - expected).norm(), 1e-5 * (expected - start).norm()) << K;
    EXPECT_GT((learnt.atoms - start).norm(), 0.05);
    double before = 0, after = 0, cost = 0;
    for (Index i = 0; i < 60; ++i) {
      (void)textbook_code(Y.row(i), start, weights, &cost);
      before += cost;
      (void)textbook_code(Y.row(i), expected, weights, &cost);
      after += cost;
    }
    EXPECT_NEAR(learnt.objective[0].after_codes, before, 1e-6 * before);
    EXPECT_NEAR(learnt.objective[0].after_atoms, after, 1e-5 * after);
  }
}

TEST(Llc, AtomsComeNearerAndStayOnTheManifold) {
  const Matrix Y = dataset::roll(1500), dense = dataset::roll(20000, 8);
  const Dictionary learnt = learn_llc(Y, {}, {.n_atoms = 200, .start = DictionaryStart::kSamples});
  EXPECT_LT(learnt.objective.back().after_atoms, 0.9 * learnt.objective.front().after_codes);
  const auto off = [&](const Matrix& atoms) { return oracle::distances(atoms, dense).rowwise().minCoeff().mean(); };
  EXPECT_LT(off(learnt.atoms), 1.2 * off(Y));
}

TEST(Llc, MovesWithTheSamplesAndNeedsNoThreads) {
  const Matrix Y = dataset::lifted_roll(400, 10);
  const LlcOptions o{.n_atoms = 40, .max_iterations = 2};
  const Matrix atoms = learn_llc(Y, {}, o).atoms;
  EXPECT_TRUE(dataset::same_bits(learn_llc(Y, {}, o, {.n_threads = 2}).atoms, atoms));
  EXPECT_LE((learn_llc(1024 * Y, {}, o).atoms / 1024 - atoms).norm(), 1e-6 * atoms.norm());
  EXPECT_LE((learn_llc(Y.array() + 100, {}, o).atoms.array() - 100 - atoms.array()).matrix().norm(),
            1e-3 * atoms.norm());
}

TEST(Llc, BadAndHardInput) {
  const Matrix Y = dataset::roll(30);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)learn_llc(Y, {}, {.n_atoms = 31}); }),
                       "llc: n_atoms = 31 must be at most"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)learn_llc(Y, {}, {.sigma = 0}); }), "sigma"));
  EXPECT_LE((learn_llc(Matrix::Ones(40, 3), {}, {.n_atoms = 4}).atoms - Matrix::Ones(1, 3)).norm(), 1e-12);
  EXPECT_LE((learn_llc(Y, {}, {.n_atoms = 30}).atoms - Y).norm(), 1e-12) << "every sample is an atom";
  Matrix start = Y.topRows(10);
  start.bottomRows(3).array() += 1e4;
  const Dictionary moved = improve_llc(Y, start, {.sigma = 2.0, .max_iterations = 2});
  EXPECT_TRUE(moved.report.has_note("atoms_reseeded"));
  EXPECT_LT(moved.atoms.cwiseAbs().maxCoeff(), 2 * Y.cwiseAbs().maxCoeff());
  std::vector<int> labels(30, 0);
  labels[0] = labels[1] = 1;
  const Dictionary small = learn_llc(Y, labels, {.atoms_per_class = 4});
  EXPECT_EQ(small.labels, (std::vector<int>{0, 0, 0, 0, 1, 1}));
  EXPECT_TRUE(small.atoms.allFinite());
}

}  // namespace
}  // namespace foldout
