// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/report.h"

#include <gtest/gtest.h>

#include "foldout/core/context.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

TEST(Report, KeepsTheLastValueOfAName) {
  Report report;
  report.figure("residual", 1);
  report.figure("width", 2);
  report.figure("residual", 3);
  report.fact("solver", "dense");
  report.fact("solver", "lanczos");
  EXPECT_EQ(report.figures.size(), 2U);
  EXPECT_EQ(*report.find_figure("residual"), 3);
  EXPECT_EQ(*report.find_fact("solver"), "lanczos");
  EXPECT_EQ(report.find_figure("none"), nullptr);
  EXPECT_EQ(report.find_fact("none"), nullptr);
}

TEST(Report, KeepsEveryNote) {
  Report report;
  report.note("joined", "one");
  report.note("joined", "two");
  EXPECT_EQ(report.notes.size(), 2U);
  EXPECT_TRUE(report.has_note("joined"));
  EXPECT_FALSE(report.has_note("left"));
}

TEST(Report, AbsorbsAnother) {
  Report first, second;
  first.figure("a", 1);
  first.phases.emplace_back("graph", 0.5);
  second.figure("a", 2);
  second.figure("b", 3);
  second.fact("solver", "dense");
  second.note("code", "text");
  second.phases.emplace_back("graph", 0.25);
  first.absorb(second);
  EXPECT_EQ(*first.find_figure("a"), 2);
  EXPECT_EQ(*first.find_figure("b"), 3);
  EXPECT_EQ(*first.find_fact("solver"), "dense");
  EXPECT_EQ(first.notes, (std::vector<Report::Note>{{"code", "text"}}));
  EXPECT_EQ(first.phases.size(), 2U);
}

TEST(PhaseTimer, AddsTheTimeOfItsScope) {
  Report report;
  {
    const PhaseTimer outer(report, "outer");
    const PhaseTimer inner(report, "inner");
  }
  ASSERT_EQ(report.phases.size(), 2U);
  EXPECT_EQ(report.phases[0].first, "inner");
  EXPECT_GE(report.phases[1].second, report.phases[0].second);
}

TEST(PhaseTimer, ReportsTheStartOfItsPhaseAsProgress) {
  std::vector<Progress> seen;
  Report report;
  {
    const PhaseTimer timer(report, "graph", {.progress = [&](const Progress& p) {
                             seen.push_back(p);
                             return true;
                           }});
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen[0].phase, "graph");
    EXPECT_EQ(seen[0].fraction, 0);
    EXPECT_TRUE(report.phases.empty());
  }
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_EQ(report.phases.size(), 1U);
  EXPECT_THROW(PhaseTimer(report, "graph", {.progress = [](const Progress&) { return false; }}), Cancelled);
}

}  // namespace
}  // namespace foldout
