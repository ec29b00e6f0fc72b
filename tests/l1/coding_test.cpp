// SPDX-License-Identifier: Apache-2.0
#include "foldout/l1/l1_coding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "core/random.h"
#include "foldout/core/error.h"
#include "l1/oracle.h"
#include "l1/problems.h"

namespace foldout {
namespace {

using dataset::coding_problem;

std::span<const double> sample(const Matrix& X, Index row) {
  return {X.row(row).data(), static_cast<std::size_t>(X.cols())};
}

void expect_same(const L1Code& a, const L1Code& b) {
  EXPECT_EQ(a.atoms, b.atoms);
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.pivots, b.pivots);
  EXPECT_EQ(a.certificate, b.certificate);
}

void expect_solved(const Matrix& atoms, std::span<const double> x, const L1Code& code, Index skip = -1) {
  const auto verdict = oracle::judge(atoms, x, code, skip, true);
  EXPECT_TRUE(verdict.well_formed);
  EXPECT_EQ(code.status, L1Status::kSolved);
  EXPECT_LE(verdict.gap, 1e-8);
  EXPECT_NEAR(verdict.objective, code.objective, 1e-12 * code.objective);
}

TEST(L1Coding, OfZeroIsEmpty) {
  const auto problem = coding_problem(0, 10, 6, 1);
  const L1Code code = L1Dictionary(problem.atoms).code(std::vector<double>(6, 0.0));
  EXPECT_TRUE(code.atoms.empty());
  EXPECT_EQ(code.objective, 0);
  EXPECT_EQ(code.gap, 0);
  EXPECT_EQ(code.status, L1Status::kSolved);
}

TEST(L1Coding, OfAUnitAtomAmongUnitAtomsIsThatAtom) {
  const auto problem = coding_problem(2, 300, 50, 3);
  const L1Code code = L1Dictionary(problem.atoms).code(problem.x);
  ASSERT_EQ(code.atoms.size(), 1U);
  EXPECT_EQ(
      std::vector<double>(sample(problem.atoms, code.atoms[0]).begin(), sample(problem.atoms, code.atoms[0]).end()),
      problem.x);
  EXPECT_EQ(code.values[0], 1);
  expect_solved(problem.atoms, problem.x, code);
}

TEST(L1Coding, OfAnAtomMayBeCheaperByALargerOne) {
  Matrix atoms = Matrix::Zero(2, 3);
  atoms << 1, 1, 0, 10, 10, 0;
  const L1Code code = L1Dictionary(atoms).code(sample(atoms, 0));
  EXPECT_EQ(code.atoms, std::vector<int>{1});
  EXPECT_NEAR(code.objective, 0.1, 1e-15);
  expect_solved(atoms, sample(atoms, 0), code);
}

TEST(L1Coding, NeedsNoAtomsAtAll) {
  const std::vector<double> x = {3, -4};
  for (const Index n : {0, 1, 5}) {
    const Matrix atoms = Matrix::Zero(n, 2);
    const L1Code code = L1Dictionary(atoms).code(x);
    EXPECT_TRUE(code.atoms.empty());
    EXPECT_EQ(code.objective, 7);
    expect_solved(atoms, x, code);
  }
  const Matrix one = Matrix::Ones(1, 2);
  const L1Code skipped = L1Dictionary(one).code(x, 0);
  EXPECT_TRUE(skipped.atoms.empty());
  expect_solved(one, x, skipped, 0);
}

TEST(L1Coding, OfASingleNumber) {
  Matrix atoms(3, 1);
  atoms << 0.5, -4, 2;
  const std::vector<double> x = {6};
  const L1Code code = L1Dictionary(atoms).code(x);
  EXPECT_EQ(code.atoms, std::vector<int>{1});
  EXPECT_DOUBLE_EQ(code.values[0], -1.5);
  const L1Code without = L1Dictionary(atoms).code(x, 1);
  EXPECT_EQ(without.atoms, std::vector<int>{2});
  EXPECT_DOUBLE_EQ(without.values[0], 3);
}

TEST(L1Coding, SkippingAnAtomIsTakingItOut) {
  for (const Index n : {40, 2500}) {  // priced whole, and by a working set
    const auto problem = coding_problem(0, n, 20, 5);
    const L1Dictionary dictionary(problem.atoms);
    for (const Index j : {Index{0}, n / 2, n - 1}) {
      const L1Code code = dictionary.code(sample(problem.atoms, j), j);
      expect_solved(problem.atoms, sample(problem.atoms, j), code, j);
      Matrix rest(n - 1, 20);
      rest << problem.atoms.topRows(j), problem.atoms.bottomRows(n - 1 - j);
      EXPECT_NEAR(code.objective, L1Dictionary(rest).code(sample(problem.atoms, j)).objective, 1e-12);
    }
  }
}

TEST(L1Coding, ScalesWithTheSample) {
  const auto problem = coding_problem(7, 60, 30, 8);
  const L1Dictionary dictionary(problem.atoms);
  const L1Code one = dictionary.code(problem.x);
  for (const int exponent : {-1000, -300, 1, 300, 1000}) {
    std::vector<double> x = problem.x;
    for (double& value : x) value = std::ldexp(value, exponent);
    const L1Code code = dictionary.code(x);
    EXPECT_EQ(code.atoms, one.atoms);
    EXPECT_EQ(code.objective, std::ldexp(one.objective, exponent));
    EXPECT_EQ(code.gap, one.gap);
  }
}

TEST(L1Coding, NeverReturnsNaN) {
  for (const double size : {1e-320, 1e-300, 1e-150, 1e-20, 1e20, 1e150, 1e300}) {
    const auto problem = coding_problem(0, 30, 10, 4);
    const Matrix atoms = problem.atoms * size;
    for (const bool exactly : {false, true}) {
      const L1Dictionary dictionary(atoms);
      const L1Code code = exactly ? dictionary.code_exactly(problem.x) : dictionary.code(problem.x);
      EXPECT_TRUE(std::isfinite(code.objective) && std::isfinite(code.gap) && std::isfinite(code.error)) << size;
      for (const double value : code.values) EXPECT_TRUE(std::isfinite(value)) << size;
      if (!exactly && size < 1e20) {
        EXPECT_EQ(code.status, L1Status::kSolved) << size << ' ' << code.gap;
      }
    }
  }
}

// Such atoms are priced in full precision only. Not all of these problems can be solved, but gaps are what they are.
TEST(L1Coding, ReportsTrueGapsForNormsThatFloatsCannotHold) {
  const auto problem = coding_problem(0, 2500, 12, 4);
  for (const double span : {13, 20, 30, 100}) {
    Matrix atoms = problem.atoms;
    for (Index j = 0; j < 2500; j += 5) atoms.row(j) *= std::pow(10.0, span * static_cast<double>(j % 60 - 30) / 30);
    const L1Code code = L1Dictionary(atoms).code(problem.x);
    const auto verdict = oracle::judge(atoms, problem.x, code, -1, true);
    EXPECT_TRUE(verdict.well_formed) << span;
    EXPECT_NEAR(verdict.gap, code.gap, 1e-11) << span;
  }
}

TEST(L1Coding, DoesNotDependOnWhatWasCodedBefore) {
  const auto small = coding_problem(0, 50, 20, 1), large = coding_problem(7, 2600, 60, 2);
  const L1Dictionary first(small.atoms), second(large.atoms);
  const L1Code a = first.code(small.x), b = second.code(large.x);
  for (int family = 0; family < dataset::kCodingFamilies; ++family) {
    const auto other = coding_problem(family, 80, 70, 9);
    (void)L1Dictionary(other.atoms).code(other.x);
    (void)L1Dictionary(other.atoms).code_exactly(other.x);
    expect_same(first.code(small.x), a);
    expect_same(second.code(large.x), b);
  }
}

TEST(L1Coding, GivesTheSameBitsOnEveryThread) {
  const auto problem = coding_problem(0, 300, 60, 6);
  const L1Dictionary dictionary(problem.atoms);
  Rng rng(3);
  const Matrix X = rng.normal_matrix(24, 60);
  std::vector<L1Code> alone, one(24), two(24);
  for (Index i = 0; i < 24; ++i) alone.push_back(dictionary.code(sample(X, i)));
  {
    const std::jthread first([&] {
      for (Index i = 0; i < 24; ++i) one[i] = dictionary.code(sample(X, i));
    });
    const std::jthread second([&] {
      for (Index i = 23; i >= 0; --i) two[i] = dictionary.code(sample(X, i));
    });
  }
  for (Index i = 0; i < 24; ++i) {
    expect_same(one[i], alone[i]);
    expect_same(two[i], alone[i]);
    expect_solved(problem.atoms, sample(X, i), alone[i]);
  }
}

TEST(L1Coding, ReportsWhatItDid) {
  const auto problem = coding_problem(0, 200, 40, 2);
  const L1Code code = L1Dictionary(problem.atoms).code(problem.x);
  EXPECT_GT(code.pivots, 5);
  EXPECT_GT(code.multiply_adds, 200 * 40);
}

TEST(L1Coding, IsInexactByAToleranceThatCannotBeMet) {
  const auto problem = coding_problem(0, 100, 40, 2);
  const L1Code code = L1Dictionary(problem.atoms, {.tolerance = 1e-300}).code(problem.x);
  EXPECT_LE(code.gap, 1e-13);
  EXPECT_EQ(code.status, code.gap == 0 ? L1Status::kSolved : L1Status::kInexact);
}

TEST(L1Coding, RefusesWhatItCannotCode) {
  const L1Dictionary dictionary(Matrix::Ones(3, 4));
  EXPECT_THROW((void)dictionary.code(std::vector<double>(5, 1.0)), InvalidArgument);
  EXPECT_THROW((void)dictionary.code(std::vector<double>(4, 1.0), 3), InvalidArgument);
  EXPECT_THROW((void)dictionary.code(std::vector<double>{1, 2, 3, std::nan("")}), InvalidArgument);
  EXPECT_THROW((void)dictionary.code(std::vector<double>{1, 2, 3, std::numeric_limits<double>::infinity()}),
               InvalidArgument);
  EXPECT_THROW(L1Dictionary(Matrix(3, 0)), InvalidArgument);
  EXPECT_THROW(L1Dictionary(Matrix::Constant(2, 2, std::nan(""))), InvalidArgument);
  EXPECT_THROW(L1Dictionary(Matrix::Ones(2, 2), {.tolerance = 0}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
