// SPDX-License-Identifier: Apache-2.0
#include "core/tally.h"

#include <gtest/gtest.h>

namespace foldout {
namespace {

TEST(Tally, SumsAndKeepsTheLargest) {
  Tally tally;
  tally.add("pivots", 3);
  tally.add("pivots", 5);
  tally.raise("gap", 1e-12);
  tally.raise("gap", 1e-14);
  Report report;
  tally.write(report, 4);
  EXPECT_EQ(*report.find_figure("pivots_per_sample"), 2);
  EXPECT_EQ(*report.find_figure("gap"), 1e-12);
  EXPECT_TRUE(report.notes.empty());
}

TEST(Tally, NamesTheRowsOfRemarks) {
  Tally tally;
  tally.remark("odd", "looked odd", 6);
  Report one;
  tally.write(one, 10);
  EXPECT_EQ(one.notes[0], (Report::Note{"odd", "1 sample: looked odd (row 6)"}));
  for (Index i = 0; i < 20; ++i) tally.remark("odd", "looked odd", 10 + i);
  Report many;
  tally.write(many, 40);
  EXPECT_EQ(many.notes[0].text, "21 samples: looked odd (rows 6, 10, 11, 12, 13, 14, 15, 16, 17, 18, …)");
}

TEST(Tally, AbsorbsAnotherBlock) {
  Tally first, second;
  first.add("pivots", 1);
  second.add("pivots", 2);
  second.raise("gap", 0.5);
  first.remark("odd", "looked odd", 3);
  second.remark("odd", "looked odd", 4);
  second.remark("even", "looked even", 0);
  first.absorb(second, 100);
  Report report;
  first.write(report, 1);
  EXPECT_EQ(*report.find_figure("pivots_per_sample"), 3);
  EXPECT_EQ(*report.find_figure("gap"), 0.5);
  ASSERT_EQ(report.notes.size(), 2U);
  EXPECT_EQ(report.notes[0].text, "1 sample: looked even (row 100)");
  EXPECT_EQ(report.notes[1].text, "2 samples: looked odd (rows 3, 104)");
}

}  // namespace
}  // namespace foldout
