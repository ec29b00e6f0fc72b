// SPDX-License-Identifier: Apache-2.0
// Codes without errors: min ‖a‖₁ subject to Σ a_j d_j = x.
#include <gtest/gtest.h>

#include "core/random.h"
#include "l1/oracle.h"
#include "l1/problems.h"

namespace foldout {
namespace {

std::vector<double> combination(const Matrix& atoms, const std::vector<std::pair<int, double>>& code) {
  Vector x = Vector::Zero(atoms.cols());
  for (const auto& [j, value] : code) x += value * atoms.row(j).transpose();
  return {x.begin(), x.end()};
}

TEST(L1CodingExactly, FindsASparseCode) {
  const auto problem = dataset::coding_problem(0, 200, 60, 1);
  const auto x = combination(problem.atoms, {{3, 1.5}, {50, -2.0}, {120, 0.25}, {199, 1.0}});
  const L1Code code = L1Dictionary(problem.atoms).code_exactly(x);
  EXPECT_EQ(code.status, L1Status::kSolved);
  EXPECT_EQ(code.atoms, (std::vector<int>{3, 50, 120, 199}));
  EXPECT_NEAR(code.objective, 4.75, 1e-12);
  EXPECT_LE(code.error, 1e-12);
  const auto verdict = oracle::judge(problem.atoms, x, code, -1, false);
  EXPECT_TRUE(verdict.well_formed);
  EXPECT_LE(verdict.gap, 1e-10);
}

TEST(L1CodingExactly, ReachesEverySampleOfACompleteDictionary) {
  for (const Index n : {80, 400, 2500}) {
    const auto problem = dataset::coding_problem(0, n, 50, 2);
    const L1Code code = L1Dictionary(problem.atoms).code_exactly(problem.x);
    EXPECT_EQ(code.status, L1Status::kSolved) << n;
    EXPECT_LE(code.error, 1e-11) << n;
    const auto verdict = oracle::judge(problem.atoms, problem.x, code, -1, false);
    EXPECT_TRUE(verdict.well_formed && verdict.gap <= 1e-8) << n << ' ' << verdict.gap;
  }
}

TEST(L1CodingExactly, SaysWhatIsOutOfReach) {
  const auto problem = dataset::coding_problem(0, 10, 30, 3);
  const L1Code code = L1Dictionary(problem.atoms).code_exactly(problem.x);
  EXPECT_EQ(code.status, L1Status::kInfeasible);
  // The least error is that of a code whose atoms cost (almost) nothing.
  const L1Code cheap = L1Dictionary(Matrix(problem.atoms * 1e6)).code(problem.x);
  EXPECT_NEAR(code.error, cheap.error, 1e-4 * cheap.error);
  const L1Code skipped = L1Dictionary(Matrix::Ones(1, 3)).code_exactly(std::vector<double>(3, 2.0), 0);
  EXPECT_EQ(skipped.status, L1Status::kInfeasible);
  EXPECT_EQ(skipped.error, 6);
}

TEST(L1CodingExactly, LiesInTheSpanOfFewAtoms) {
  const auto problem = dataset::coding_problem(0, 12, 40, 4);
  const auto x = combination(problem.atoms, {{0, 1.0}, {5, -0.5}, {11, 3.0}});
  const L1Code code = L1Dictionary(problem.atoms).code_exactly(x);
  EXPECT_EQ(code.status, L1Status::kSolved);
  EXPECT_NEAR(code.objective, 4.5, 1e-11);
}

TEST(L1CodingExactly, HonoursSkip) {
  const auto problem = dataset::coding_problem(0, 60, 20, 5);
  const auto x = combination(problem.atoms, {{7, 2.0}});
  const L1Dictionary dictionary(problem.atoms);
  EXPECT_EQ(dictionary.code_exactly(x).atoms, std::vector<int>{7});
  const L1Code code = dictionary.code_exactly(x, 7);
  EXPECT_EQ(code.status, L1Status::kSolved);
  const auto verdict = oracle::judge(problem.atoms, x, code, 7, false);
  EXPECT_TRUE(verdict.well_formed && verdict.gap <= 1e-8);
  EXPECT_GT(code.objective, 2);
}

TEST(L1CodingExactly, OfZeroIsEmpty) {
  const L1Code code = L1Dictionary(Matrix::Ones(2, 3)).code_exactly(std::vector<double>(3, 0.0));
  EXPECT_TRUE(code.atoms.empty());
  EXPECT_EQ(code.status, L1Status::kSolved);
}

}  // namespace
}  // namespace foldout
