// SPDX-License-Identifier: Apache-2.0
// The extension that a fit of laplacian_eigenmaps gets without a request is not far worse than the others.
#include <gtest/gtest.h>

#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/data/faces.h"
#include "foldout/model/compare.h"
#include "foldout/model/model.h"
#include "support/datasets.h"

namespace foldout {
namespace {

Dataset faces() {
  constexpr int kPeople = 10;
  SyntheticData drawn = make_faces(200, 0, {.size = 16, .n_people = kPeople});
  std::vector<std::string> names;
  for (int i = 0; i < 200; ++i) names.push_back(std::to_string(i % kPeople));
  return {.samples = std::move(drawn.samples), .labels = make_labels(names), .image = {}, .columns = {}};
}

TEST(DefaultExtension, RecognisesFacesOnAFullGraphAsWellAsRbf) {
  const ModelSpec spec{.method = "laplacian_eigenmaps:graph=full,n_components=50"};
  const Comparison by = compare_extensions(faces(), spec, {"nystrom", "rbf", "nystrom:fallback=none"}, {.repeats = 2});
  ASSERT_EQ(by.rows.size(), 3U);
  EXPECT_GT(by.rows[0].accuracy->mean, by.rows[1].accuracy->mean - 0.05);
  EXPECT_LT(by.rows[0].placement.mean, by.rows[1].placement.mean + 0.03);
  EXPECT_LT(by.rows[2].accuracy->mean, 0.5) << "the formula alone fails, or the test says nothing";
  const Comparison without = compare_extensions(faces(), spec, {}, {.repeats = 2});
  EXPECT_EQ(without.rows[0].placement.mean, by.rows[0].placement.mean);
}

TEST(DefaultExtension, OfMutualGraphsIsLle) {
  const Dataset data{.samples = dataset::roll(120), .labels = {}, .image = {}, .columns = {}};
  const Matrix fresh = dataset::roll(30, 2);
  const std::string method = "laplacian_eigenmaps:graph=mutual,n_neighbors=7";
  const Model model = fit_model(data, {.method = method});
  EXPECT_TRUE(model.report.has_note("nystrom_fallback"));
  EXPECT_EQ(model.map->info().name, "lle");
  const Model lle = fit_model(data, {.method = method, .extension = "lle:n_neighbors=7"});
  EXPECT_TRUE(dataset::same_bits(model.transform(fresh), lle.transform(fresh)));
}

TEST(DefaultExtension, ReportsWhichCoordinatesItPlacesDifferently) {
  const Dataset data{.samples = dataset::roll(120), .labels = {}, .image = {}, .columns = {}};
  const Model model = fit_model(data, {.method = "laplacian_eigenmaps:graph=full,n_components=20"});
  EXPECT_TRUE(model.report.has_note("nystrom_fallback"));
  EXPECT_THROW((void)fit_model(data, {.method = "isomap", .extension = "nystrom:fallback=lle"}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
