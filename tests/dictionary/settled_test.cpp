// SPDX-License-Identifier: Apache-2.0
#include "dictionary/learning.h"

#include <gtest/gtest.h>

namespace foldout {
namespace {

std::vector<DictionaryObjective> objectives(const std::vector<double>& after_atoms) {
  std::vector<DictionaryObjective> all;
  for (const double J : after_atoms) all.push_back({J, J});
  return all;
}

TEST(Settled, ConsidersThreeIterations) {
  constexpr double kTolerance = 0.01;
  EXPECT_FALSE(settled({}, kTolerance));
  EXPECT_FALSE(settled(objectives({5, 5, 5}), kTolerance)) << "too few iterations";
  EXPECT_TRUE(settled(objectives({5, 5, 5, 5}), kTolerance));
  EXPECT_TRUE(settled(objectives({0, 0, 0, 0}), kTolerance));
  EXPECT_FALSE(settled(objectives({100, 99.6, 99.2, 98.8}), kTolerance)) << "small steps, but more than 1 % in total";
  EXPECT_TRUE(settled(objectives({100, 99.8, 99.6, 99.4}), kTolerance));
}

TEST(Settled, ASingleIncreaseOrStagnationIsNotConvergence) {
  constexpr double kTolerance = 0.01;
  EXPECT_FALSE(settled(objectives({100, 90, 80, 80}), kTolerance));
  EXPECT_FALSE(settled(objectives({100, 80, 85, 78}), kTolerance));
  EXPECT_TRUE(settled(objectives({100, 80, 85, 79.5, 81}), kTolerance)) << "the lowest earlier value counts";
}

TEST(Settled, NeverWithoutTolerance) { EXPECT_FALSE(settled(objectives({5, 5, 5, 5, 6}), 0)); }

}  // namespace
}  // namespace foldout
