// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_scatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "foldout/core/error.h"
#include "plot/axis.h"
#include "plot/color.h"

namespace foldout {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

// Centres of all discs, in the order drawn.
std::vector<std::pair<double, double>> centres(const std::string& svg) {
  std::vector<std::pair<double, double>> found;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) {
    const auto value = [&](const std::string& name) { return std::stod(svg.substr(svg.find(name, at) + name.size())); };
    found.emplace_back(value("cx=\""), value("cy=\""));
  }
  return found;
}

Matrix square() {
  Matrix Y(4, 2);
  Y << 0, 0, 10, 0, 10, 1, 0, 1;
  return Y;
}

TEST(SvgScatter, DrawsEverySampleWhereItIs) {
  const auto at = centres(svg_scatter(square()));
  ASSERT_EQ(at.size(), 4U);
  EXPECT_LT(at[0].first, at[1].first);    // x to the right
  EXPECT_GT(at[0].second, at[3].second);  // y upwards
  EXPECT_DOUBLE_EQ(at[1].first, at[2].first);
  EXPECT_DOUBLE_EQ(at[0].second, at[1].second);
  for (const auto& [x, y] : at) {
    EXPECT_GT(x, 0);
    EXPECT_LT(x, 640);
    EXPECT_GT(y, 0);
    EXPECT_LT(y, 480);
  }
}

TEST(SvgScatter, EqualScaleKeepsTheShape) {
  const auto at = centres(svg_scatter(square(), {.equal_scale = true}));
  EXPECT_NEAR((at[1].first - at[0].first) / (at[0].second - at[3].second), 10, 0.05);
}

TEST(SvgScatter, ClassesHaveColoursAndALegend) {
  const std::string svg = svg_scatter(square(), {.classes = {"cat", "dog", "dog", "cat"}});
  EXPECT_EQ(count(svg, class_color(0)), 3U);  // two samples and the legend
  EXPECT_EQ(count(svg, class_color(1)), 3U);
  EXPECT_EQ(count(svg, ">cat<"), 1U);
  EXPECT_EQ(count(svg, ">dog<"), 1U);
}

TEST(SvgScatter, LegendsAreInNaturalOrder) {
  const std::string svg = svg_scatter(square(), {.classes = {"p10", "p2", "p1", "p2"}});
  EXPECT_LT(svg.find(">p1<"), svg.find(">p2<"));
  EXPECT_LT(svg.find(">p2<"), svg.find(">p10<"));
}

TEST(SvgScatter, LegendsShowTheMarksOfTheirClasses) {
  std::vector<std::string> classes;
  for (int i = 0; i < 12; ++i) classes.push_back(std::to_string(i));
  const std::string svg = svg_scatter(Matrix::Random(12, 2), {.classes = classes});
  EXPECT_EQ(count(svg, std::string(class_mark(10))), 4U);  // two samples, two entries
}

TEST(SvgScatter, FortyClassesAreNamedOnTheMapAndDifferInTheirMarks) {
  std::vector<std::string> classes;
  Matrix Y(40, 2);
  for (int i = 0; i < 40; ++i) {
    classes.push_back("n" + std::to_string(i));
    Y.row(i) << i % 8, i / 8;
  }
  const std::string svg = svg_scatter(Y, {.classes = classes});
  for (const std::string& name : classes) EXPECT_EQ(count(svg, ">" + name + "<"), 2U) << name;  // and its outline
  EXPECT_EQ(count(svg, "<circle"), 10U);
  for (const std::size_t i : {10U, 20U, 30U}) EXPECT_EQ(count(svg, std::string(class_mark(i))), 10U);
}

TEST(SvgScatter, NamesThatWouldOverlapAreLeftOut) {
  std::vector<std::string> classes;
  for (int i = 0; i < 40; ++i) classes.push_back("person " + std::to_string(i));
  const std::string svg = svg_scatter(Matrix::Constant(40, 2, 1.0), {.classes = classes});
  EXPECT_EQ(count(svg, ">person "), 2U);  // one, and its outline
}

TEST(SvgScatter, ThumbnailsDoNotOverlap) {
  Matrix Y(5, 2);
  Y << 0, 0, 10, 10, 5, 5, 5.001, 5, 3, 7;
  const Matrix images = Matrix::Constant(5, 4, 9.0);
  ScatterOptions look;
  look.images = &images;
  look.image = {2, 2};
  EXPECT_EQ(count(svg_scatter(Y, look), "<image"), 4U);
}

TEST(SvgScatter, ThemesHaveFixedColours) {
  EXPECT_EQ(count(svg_scatter(square(), {.theme = Theme::kDark}), "fill=\"#15171b\""), 1U);
  EXPECT_EQ(count(svg_scatter(square(), {.theme = Theme::kLight}), "light-dark"), 0U);
  EXPECT_EQ(parse_theme("auto", true), Theme::kLight);
  EXPECT_THROW((void)parse_theme("sepia", false), InvalidArgument);
}

TEST(SvgScatter, ValuesRunAlongTheRamp) {
  const std::string svg = svg_scatter(square(), {.values = {-1, 0, 0.5, 3}, .values_label = "pan"});
  EXPECT_EQ(count(svg, "r=\"4.0\" fill=\"" + ramp_color(0) + "\""), 1U);
  EXPECT_EQ(count(svg, "r=\"4.0\" fill=\"" + ramp_color(1) + "\""), 1U);
  EXPECT_EQ(count(svg, "r=\"4.0\" fill=\"" + ramp_color(0.25) + "\""), 1U);
  EXPECT_EQ(count(svg, ">pan<"), 1U);
  EXPECT_EQ(count(svg, ">-1<"), 1U);
}

TEST(SvgScatter, NewSamplesAreDiamonds) {
  const std::string svg = svg_scatter(square(), {.is_new = {false, true, true, false}});
  EXPECT_EQ(count(svg, "<circle"), 3U);  // two samples and the legend
  EXPECT_EQ(count(svg, "z\" fill=\""), 3U);
}

TEST(SvgScatter, TextsAreEscaped) {
  const std::string svg = svg_scatter(
      square(), {.title = "a < b & \"c\"", .x_label = "x", .y_label = "y", .hover = {"<1>", "2", "3", "4"}});
  EXPECT_EQ(count(svg, "a &lt; b &amp; &quot;c&quot;"), 2U);  // title and description
  EXPECT_EQ(count(svg, "<title>&lt;1&gt;</title></circle>"), 1U);
  EXPECT_EQ(count(svg, "<title>"), 4U);
}

TEST(SvgScatter, OnePointIsDrawnInTheMiddle) {
  const auto at = centres(svg_scatter(Matrix::Constant(1, 2, 5.0)));
  ASSERT_EQ(at.size(), 1U);
  EXPECT_NEAR(at[0].first, 320, 20);
}

TEST(SvgScatter, WrongRequestsAreNamed) {
  EXPECT_THROW((void)svg_scatter(Matrix::Zero(3, 3)), InvalidArgument);
  EXPECT_THROW((void)svg_scatter(Matrix::Zero(0, 2)), InvalidArgument);
  EXPECT_THROW((void)svg_scatter(Matrix::Constant(2, 2, std::nan(""))), InvalidArgument);
  EXPECT_THROW((void)svg_scatter(square(), {.classes = {"a"}}), InvalidArgument);
  EXPECT_THROW((void)svg_scatter(square(), {.values = {1, 2, 3, std::nan("")}}), InvalidArgument);
  EXPECT_THROW((void)svg_scatter(square(), {.classes = {"a", "a", "a", "a"}, .values = {1, 2, 3, 4}}), InvalidArgument);
  EXPECT_THROW((void)svg_scatter(square(), {.width = 100}), InvalidArgument);
}

TEST(Ticks, AreRoundNumbersWithinTheRange) {
  EXPECT_EQ(round_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(-0.5, 1.2, 4), (std::vector<double>{-0.5, 0, 0.5, 1}));
  const std::vector<double> small = round_ticks(-2e-5, 3.1e-5, 5);
  EXPECT_EQ(small.size(), 6U);
  EXPECT_NEAR(small.front(), -2e-5, 1e-20);
}

TEST(Colors, RampEndsWithViridisAndClassesDiffer) {
  EXPECT_EQ(ramp_color(0), "#440154");
  EXPECT_EQ(ramp_color(1), "#fde725");
  EXPECT_EQ(ramp_color(-3), ramp_color(0));
  EXPECT_EQ(class_color(0), "#0072b2");
  std::vector<std::string> looks;
  for (std::size_t i = 0; i < 60; ++i) looks.push_back(class_color(i) + std::string(class_mark(i)));
  std::ranges::sort(looks);
  EXPECT_EQ(std::ranges::adjacent_find(looks), looks.end());
}

// The sum of the squared differences of red, green and blue.
double difference(const std::string& a, const std::string& b) {
  double sum = 0;
  for (const std::size_t at : {1U, 3U, 5U}) {
    const int d = std::stoi(a.substr(at, 2), nullptr, 16) - std::stoi(b.substr(at, 2), nullptr, 16);
    sum += d * d;
  }
  return sum;
}

TEST(Colors, TenClassesCanBeToldApart) {
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(difference(class_color(i), class_color(j)), 60 * 60) << i << " and " << j;
}

}  // namespace
}  // namespace foldout
