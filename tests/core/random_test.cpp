// SPDX-License-Identifier: Apache-2.0
#include "core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace foldout {
namespace {

// xoshiro256** seeded by splitmix64, computed by an independent program.
TEST(Rng, HasTheBitsOfTheReference) {
  Rng zero(0), answer(42);
  for (const std::uint64_t bits :
       {0x99ec5f36cb75f2b4ULL, 0xbf6e1f784956452aULL, 0x1a5f849d4933e6e0ULL, 0x6aa594f1262d2d2cULL})
    EXPECT_EQ(zero.bits(), bits);
  for (const std::uint64_t bits :
       {0x15780b2e0c2ec716ULL, 0x6104d9866d113a7eULL, 0xae17533239e499a1ULL, 0xecb8ad4703b360a1ULL})
    EXPECT_EQ(answer.bits(), bits);
  EXPECT_EQ(Rng(0).uniform(), 0.6012629994179048);
  EXPECT_EQ(Rng(42).uniform(), 0.08386297105988216);
}

TEST(Rng, UniformIsUniform) {
  Rng rng(1);
  double sum = 0, squares = 0;
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  const double mean = sum / n;
  EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n - mean * mean, 1.0 / 12, 1e-3);
  const double between = rng.uniform(-3, 5);
  EXPECT_TRUE(between >= -3 && between < 5);
}

TEST(Rng, NormalIsNormal) {
  Rng rng(2);
  const int n = 200000;
  double sum = 0, squares = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal();
    ASSERT_TRUE(std::isfinite(z));
    sum += z;
    squares += z * z;
    fourth += z * z * z * z;
  }
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth / n, 3, 0.12);
}

TEST(Rng, BelowIsUnbiased) {  // χ² with n − 1 degrees of freedom, far in the tail
  for (const std::uint64_t n : {2ULL, 3ULL, 7ULL, 100ULL}) {
    Rng rng(n);
    std::vector<double> counts(n, 0);
    const double draws = 70000;
    for (int i = 0; i < 70000; ++i) ++counts.at(rng.below(n));
    double chi = 0;
    for (const double count : counts)
      chi += (count - draws / double(n)) * (count - draws / double(n)) / (draws / double(n));
    const double freedom = double(n) - 1;
    EXPECT_LT(chi, freedom + 5 * std::sqrt(2 * freedom) + 8) << n;
  }
  Rng rng(3);  // where remainders alone would favour the lower half by a half
  const std::uint64_t large = 3ULL << 62;
  int low = 0;
  for (int i = 0; i < 20000; ++i) low += rng.below(large) < large / 2;
  EXPECT_NEAR(low, 10000, 400);
  EXPECT_EQ(rng.below(1), 0U);
}

TEST(Rng, StreamsAreDifferentAndDoNotDependOnWhatWasDrawn) {
  Rng rng(9);
  const std::uint64_t first = rng.stream(5).bits();
  (void)rng.bits();
  EXPECT_EQ(rng.stream(5).bits(), first);
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (std::uint64_t i = 0; i < 100; ++i) seen.insert(Rng(seed).stream(i).bits());
  EXPECT_EQ(seen.size(), 3000U);
  EXPECT_NE(Rng(9).bits(), first);
}

TEST(Rng, StreamsAreNotCorrelated) {
  Rng a = Rng(1).stream(0), b = Rng(1).stream(1);
  double sum = 0;
  const int n = 50000;
  for (int i = 0; i < n; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  EXPECT_NEAR(sum / n, 0, 5.0 / 12 / std::sqrt(n));
}

TEST(Rng, PermutationsHaveEveryIndexOnce) {
  for (const Index n : {0, 1, 2, 100}) {
    std::vector<Index> order = Rng(4).permutation(n);
    std::ranges::sort(order);
    ASSERT_EQ(order.size(), static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  }
  std::array<int, 6> counts{};  // all six orders of three, about equally often
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const auto order = Rng(seed).permutation(3);
    ++counts[static_cast<std::size_t>(order[0] * 2 + (order[1] > order[2] ? 1 : 0))];
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(Rng, FillsMatricesRowByRow) {
  Rng a(5), b(5);
  const Matrix A = a.normal_matrix(3, 4);
  EXPECT_EQ(A(0, 0), b.normal());
  EXPECT_EQ(A(0, 1), b.normal());
  EXPECT_EQ(Rng(5).normal_matrix(6, 4).topRows(3), A);
  EXPECT_EQ(Rng(5).normal_vector(12), Vector(Eigen::Map<const Vector>(A.data(), 12)));
  EXPECT_EQ(Rng(6).uniform_matrix(1, 1)(0, 0), Rng(6).uniform());
}

}  // namespace
}  // namespace foldout
