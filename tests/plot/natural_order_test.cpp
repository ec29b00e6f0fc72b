// SPDX-License-Identifier: Apache-2.0
#include "plot/natural_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace foldout {
namespace {

TEST(NaturalOrder, ComparesNumbersByValue) {
  std::vector<std::string> names{"p10", "p2", "q",  "p2b", "p",          "p02",
                                 "10",  "9",  "-1", "-20", "person 3 b", "person 3 a"};
  std::ranges::sort(names, comes_before);
  EXPECT_EQ(names, (std::vector<std::string>{"-20", "-1", "9", "10", "p", "p02", "p2", "p2b", "p10", "person 3 a",
                                             "person 3 b", "q"}));
}

TEST(NaturalOrder, IsAStrictOrder) {
  const std::vector<std::string> names{"", "0", "00", "a", "a0", "a00", "a1", "-", "-1", "\xff"};
  for (const std::string& a : names)
    for (const std::string& b : names)
      EXPECT_EQ(comes_before(a, b) + comes_before(b, a), a == b ? 0 : 1) << a << " " << b;
}

}  // namespace
}  // namespace foldout
