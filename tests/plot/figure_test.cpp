// SPDX-License-Identifier: Apache-2.0
#include "plot/figure.h"

#include <gtest/gtest.h>

#include "foldout/core/error.h"
#include "io/image.h"

namespace foldout {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

MapView small_map() {
  MapView view;
  view.title = "small";
  view.coordinates = Matrix::Random(12, 4);
  view.n_new = 3;
  view.predicted = {"a", "b", "a"};
  for (int i = 0; i < 12; ++i) view.labels.emplace_back(i < 9 ? "b" : "");
  return view;
}

TEST(Figure, ShowsTheChosenCoordinatesAndPredictedLabels) {
  const std::string svg = svg_map(small_map(), {.coordinates = {4, 2}});
  EXPECT_TRUE(has(svg, ">coordinate 4<") && has(svg, ">coordinate 2<") && has(svg, ">small<"));
  EXPECT_TRUE(has(svg, ">a<") && has(svg, ">b<") && !has(svg, ">no label<"));
}

TEST(Figure, ThreeCoordinatesAreDrawnInABox) {
  const std::string svg = svg_map(small_map(), {.coordinates = {1, 2, 3}});
  for (const char* name : {">coordinate 1<", ">coordinate 2<", ">coordinate 3<"}) EXPECT_TRUE(has(svg, name)) << name;
}

TEST(Figure, PngHasTheRequestedWidthAndTheme) {
  const std::string png = png_map(small_map(), {.width = 1000, .theme = Theme::kDark});
  const Matrix pixels = decode_image(std::as_bytes(std::span(png)), "figure");
  EXPECT_EQ(pixels.cols(), 1000);
  EXPECT_LT(pixels(0, 0), 40);
  const std::string light = png_map(small_map(), {.width = 400});
  EXPECT_GT(decode_image(std::as_bytes(std::span(light)), "figure")(0, 0), 250);
}

TEST(Figure, WrongRequestsAreNamed) {
  EXPECT_THROW((void)svg_map(small_map(), {.coordinates = {1, 5}}), InvalidArgument);
  EXPECT_THROW((void)svg_map(small_map(), {.coordinates = {1}}), InvalidArgument);
  EXPECT_THROW((void)svg_map(small_map(), {.width = 20}), InvalidArgument);
  EXPECT_THROW((void)svg_map(small_map(), {.thumbnails = true}), InvalidArgument);
  MapView wrong = small_map();
  wrong.ids = {"one"};
  EXPECT_THROW((void)svg_map(wrong, {}), InvalidArgument);
}

TEST(Figure, AMapOfOneCoordinateIsALine) {
  MapView view;
  view.coordinates = Matrix::Random(5, 1);
  EXPECT_TRUE(has(svg_map(view, {}), ">coordinate 1<"));
}

}  // namespace
}  // namespace foldout
