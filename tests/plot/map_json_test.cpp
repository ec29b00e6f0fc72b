// SPDX-License-Identifier: Apache-2.0
#include "plot/map_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "foldout/core/error.h"
#include "plot/image_sheet.h"
#include "plot/markup.h"

namespace foldout {
namespace {

template <class T>
std::string packed(const std::vector<T>& values) {
  return base64({reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(T)});
}

nlohmann::json written(const MapView& view) { return nlohmann::json::parse(map_json(view)); }

TEST(MapJson, HasCoordinatesLabelsAndIds) {
  MapView view;
  view.coordinates = (Matrix(3, 2) << 1, 2, 3, 4, 5, 6).finished();
  view.n_new = 1;
  view.labels = {"b10", "b2", ""};
  view.ids = {"x", "<y>", "z"};
  const auto json = written(view);
  EXPECT_EQ(json["n_train"], 2);
  EXPECT_EQ(json["coordinates"][1]["data"], packed(std::vector<float>{2, 4, 6}));
  EXPECT_EQ(json["label_names"], (std::vector<std::string>{"b2", "b10"}));
  EXPECT_EQ(json["labels"]["data"], packed(std::vector<std::uint16_t>{2, 1, 0}));
  EXPECT_EQ(json["ids"][1], "<y>");
  EXPECT_EQ(map_json(view).find('<'), std::string::npos);
}

TEST(MapJson, LargeMapsAreQuantisedAndSayWhatIsLeftOut) {
  MapView view;
  view.coordinates = Matrix::Random(30000, 80);
  view.ids.assign(30000, std::string(150, 'x'));
  const auto json = written(view);
  EXPECT_EQ(json["coordinates"].size(), 50U);
  EXPECT_EQ(json["coordinates"][0]["type"], "q16");
  EXPECT_DOUBLE_EQ(json["coordinates"][0]["high"], view.coordinates.col(0).maxCoeff());
  EXPECT_FALSE(json.contains("ids"));
  EXPECT_EQ(json["left_out"].size(), 2U);
}

TEST(MapJson, ReasonsAreTheLargestWeightsFirst) {
  MapView view;
  view.coordinates = Matrix::Zero(4, 2);
  view.n_new = 1;
  view.reasons.kind = Reasons::Kind::kCodes;
  view.reasons.weights = SparseMatrix(1, 3);
  view.reasons.weights.insert(0, 0) = 0.2;
  view.reasons.weights.insert(0, 2) = 0.8;
  const auto reasons = written(view)["reasons"];
  EXPECT_EQ(reasons["anchors"]["data"], packed(std::vector<std::uint32_t>{2, 0}));
  EXPECT_EQ(reasons["weights"]["data"], packed(std::vector<float>{0.8F, 0.2F}));
  view.reasons.kind = Reasons::Kind::kNearestSamples;  // distances: the smallest first
  EXPECT_EQ(written(view)["reasons"]["anchors"]["data"], packed(std::vector<std::uint32_t>{0, 2}));
}

TEST(MapJson, ManyImagesAreSampledAndNewOnesKept) {
  MapView view;
  view.coordinates = Matrix::Zero(40000, 2);
  view.n_new = 10;
  view.values = Matrix::Constant(40000, 16 * 16, 7.0);
  view.image = {16, 16};
  const auto json = written(view);
  EXPECT_EQ(json["left_out"].size(), 1U);
  const std::string samples = json["images"]["samples"]["data"];
  EXPECT_EQ(samples.size(), (6000000U / 256 * 4 + 2) / 3 * 4);
  EXPECT_TRUE(samples.ends_with(packed(std::vector<std::uint32_t>{39996, 39997, 39998, 39999})));
}

TEST(MapJson, InvalidUtf8IsReplaced) {
  MapView view;
  view.coordinates = Matrix::Zero(1, 2);
  view.ids = {"\xff"};
  EXPECT_EQ(written(view)["ids"][0], "\xEF\xBF\xBD");
}

TEST(MapJson, PartsMustMatch) {
  MapView view;
  view.coordinates = Matrix::Zero(3, 2);
  view.labels = {"a"};
  EXPECT_THROW((void)map_json(view), InvalidArgument);
  view.labels.clear();
  view.values = Matrix::Zero(3, 5);
  view.image = {2, 2};
  EXPECT_THROW((void)map_json(view), InvalidArgument);
  EXPECT_THROW((void)map_json(MapView()), InvalidArgument);
}

TEST(ImageSheets, ThumbnailsKeepTheirShape) {
  const ImageShape half = thumbnail_shape({100, 50}, 100, 100 * 50 * 25, 8, 96);
  EXPECT_EQ(half.height, 50);
  EXPECT_EQ(half.width, 25);
  EXPECT_EQ(thumbnail_shape({20, 20}, 1, 1e9, 8, 96).height, 20);
  EXPECT_EQ(thumbnail_shape({200, 200}, 1000000, 1e3, 8, 96).height, 8);
}

TEST(ImageSheets, GreyScalesFollowTheValues) {
  EXPECT_EQ(grey_scale(Matrix::Constant(2, 2, 200.0)).high, 255);
  EXPECT_EQ(grey_scale((Matrix(1, 2) << -1, 3).finished()).low, -1);
  const GreyScale flat = grey_scale(Matrix::Zero(2, 2));
  EXPECT_LT(flat.low, flat.high);
}

}  // namespace
}  // namespace foldout
