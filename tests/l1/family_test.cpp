// SPDX-License-Identifier: Apache-2.0
// Every answer to easy and hard problems is judged by separate code. FOLDOUT_L1_PROBLEMS sets their number (claims:
// 1000).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "core/random.h"
#include "l1/oracle.h"
#include "l1/problems.h"

namespace foldout {
namespace {

int asked_for(int otherwise) {
  const char* text = std::getenv("FOLDOUT_L1_PROBLEMS");
  return text == nullptr ? otherwise : std::stoi(text);
}

Index log_uniform(Rng& rng, double low, double high) {
  return static_cast<Index>(std::lround(low * std::pow(high / low, rng.uniform())));
}

TEST(L1Families, EveryAnswerIsCertified) {
  const int count = asked_for(144);
  const bool all = count > 144;
  Rng rng(7);
  int unsolved = 0;
  double worst = 0;
  for (int i = 0; i < count; ++i) {
    Index d = log_uniform(rng, 5, 1024), n = log_uniform(rng, 10, 5000);
    if (!all && d * n > 100'000) d = std::max<Index>(5, 100'000 / n);
    const auto problem = dataset::coding_problem(i % dataset::kCodingFamilies, n, d, static_cast<std::uint64_t>(i));
    const std::string what =
        problem.name + ", " + std::to_string(n) + " atoms of " + std::to_string(d) + ", problem " + std::to_string(i);
    const L1Code code = L1Dictionary(problem.atoms).code(problem.x);
    const auto verdict = oracle::judge(problem.atoms, problem.x, code, -1, true);
    ASSERT_TRUE(verdict.well_formed) << what;
    EXPECT_NEAR(verdict.objective, code.objective, 1e-12 * verdict.objective) << what;
    EXPECT_NEAR(verdict.gap, code.gap, 1e-11) << what;
    if (code.status == L1Status::kSolved) {
      EXPECT_LE(verdict.gap, 1e-8 + 1e-11) << what;
      worst = std::max(worst, verdict.gap);
    } else {
      ++unsolved;
      std::printf("not solved: %s: gap %.3g after %ld pivots\n", what.c_str(), code.gap,
                  static_cast<long>(code.pivots));
    }
  }
  std::printf("%d problems, %d not solved, largest gap of the others %.3g\n", count, unsolved, worst);
  RecordProperty("unsolved", unsolved);
  EXPECT_EQ(unsolved, 0);
}

// Right answers hide wrong choices of what to bring in, and a tableau that has to be computed anew: both cost pivots
// and products.
TEST(L1Families, TakeFewPivotsAndProducts) {
  double pivots = 0, products = 0;
  for (int i = 0; i < 10 * dataset::kCodingFamilies; ++i) {
    const auto problem = dataset::coding_problem(i % dataset::kCodingFamilies, 150, 40, static_cast<std::uint64_t>(i));
    const L1Code code = L1Dictionary(problem.atoms).code(problem.x);
    pivots += static_cast<double>(code.pivots);
    products += code.multiply_adds;
  }
  EXPECT_LT(pivots, 6600);     // 6444 when this was written
  EXPECT_LT(products, 5.9e7);  // 5.8e7
}

TEST(L1Families, SmallProblemsAgreeWithTheTextbook) {
  for (int i = 0; i < 20 * dataset::kCodingFamilies; ++i) {
    const Index d = 1 + i % 11, n = 1 + (i * 7) % 23;
    const auto problem = dataset::coding_problem(i % dataset::kCodingFamilies, n, d, static_cast<std::uint64_t>(i));
    const L1Code code = L1Dictionary(problem.atoms).code(problem.x);
    const double least = oracle::least_l1(problem.atoms, problem.x);
    EXPECT_NEAR(code.objective, least, 1e-9 * std::max(1.0, least)) << problem.name << ' ' << i;
    EXPECT_EQ(code.status, L1Status::kSolved) << problem.name << ' ' << i << ' ' << code.gap;
    const auto verdict = oracle::judge(problem.atoms, problem.x, code, -1, true);
    EXPECT_TRUE(verdict.well_formed && verdict.gap <= 1e-8) << problem.name << ' ' << i;
  }
}

TEST(L1Families, SmallProblemsWithoutErrorsAgreeWithTheTextbook) {
  int feasible = 0;
  for (int i = 0; i < 20 * dataset::kCodingFamilies; ++i) {
    const Index d = 1 + i % 9, n = 1 + (i * 5) % 19;
    const auto problem = dataset::coding_problem(i % dataset::kCodingFamilies, n, d, static_cast<std::uint64_t>(i));
    const L1Code code = L1Dictionary(problem.atoms).code_exactly(problem.x);
    const double least = oracle::least_l1_exactly(problem.atoms, problem.x);
    const std::string what = problem.name + ' ' + std::to_string(i);
    if (least < 0) {
      EXPECT_EQ(code.status, L1Status::kInfeasible) << what << ' ' << code.error;
      continue;
    }
    ++feasible;
    EXPECT_EQ(code.status, L1Status::kSolved) << what << ' ' << code.gap << ' ' << code.error;
    EXPECT_NEAR(code.objective, least, 1e-8 * std::max(1.0, least)) << what;
    const auto verdict = oracle::judge(problem.atoms, problem.x, code, -1, false);
    EXPECT_TRUE(verdict.well_formed && verdict.gap <= 1e-8) << what;
  }
  EXPECT_GT(feasible, 100);
}

}  // namespace
}  // namespace foldout
