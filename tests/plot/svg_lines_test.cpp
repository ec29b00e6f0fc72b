// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_lines.h"

#include <gtest/gtest.h>

#include <cmath>

#include "foldout/core/error.h"

namespace foldout {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

TEST(SvgLines, DrawsEveryPointItsSpreadAndALegend) {
  const std::string svg = svg_lines({{"map", {0, 1, 2}, {3, 2, 1}, {0.1, 0.1, 0}}, {"pixels", {0, 1, 2}, {1, 2, 4}}},
                                    {.title = "a < b", .x_label = "damage", .y_label = "rate"});
  EXPECT_EQ(count(svg, "translate("), 6U + 2U + 1U);     // points, legend, name of the axis
  EXPECT_EQ(count(svg, "m-3 0h6"), 2U);                  // spreads above 0
  EXPECT_EQ(count(svg, "a &lt; b"), 2U);                 // title and description
  EXPECT_LT(svg.rfind(">pixels<"), svg.rfind(">map<"));  // in the order of their last values
}

TEST(SvgLines, MarksAValueOfTheParameter) {
  EXPECT_EQ(count(svg_lines({{"", {1, 2, 3}, {1, 1, 1}}}, {.marks = {{2, "in use"}}}), ">in use<"), 1U);
}

TEST(SvgLines, LogarithmicAxesShowPowersOfTen) {
  const std::string svg = svg_lines({{"", {0.01, 100}, {1, 2}}}, {.logarithmic_x = true});
  for (const std::string tick : {"0.01", "0.1", "1", "10", "100"}) EXPECT_GE(count(svg, ">" + tick + "<"), 1U) << tick;
}

TEST(SvgLines, WrongRequestsAreNamed) {
  EXPECT_THROW((void)svg_lines({}), InvalidArgument);
  EXPECT_THROW((void)svg_lines({{"a", {1}, {}}}), InvalidArgument);
  EXPECT_THROW((void)svg_lines({{"a", {1}, {std::nan("")}}}), InvalidArgument);
  EXPECT_THROW((void)svg_lines({{"a", {0}, {1}}}, {.logarithmic_x = true}), InvalidArgument);
  EXPECT_THROW((void)svg_lines({{"a", {0}, {1}}}, {.width = 10}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
