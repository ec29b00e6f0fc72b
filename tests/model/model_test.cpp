// SPDX-License-Identifier: Apache-2.0
#include "foldout/model/model.h"

#include <gtest/gtest.h>

#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "model/model_archive.h"
#include "model/models.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

Dataset data_of(const Matrix& samples) { return {.samples = samples, .labels = {}, .image = {}, .columns = {}}; }

std::string value_of(const std::string& spec, const std::string& key) {
  const ComponentSpec parsed = ComponentSpec::parse(spec);
  return parsed.find(key) ? *parsed.find(key) : "";
}

TEST(Model, RefusesLabelsOfTheWrongLength) {
  Dataset data = small_data();
  data.labels->index.pop_back();
  EXPECT_EQ(message_of<InvalidArgument>([&] { (void)fit_model(data, {.method = "pca"}); }),
            "11 labels for 12 samples: one label per sample is needed");
}

TEST(Model, SuggestsTheNearestComponent) {
  const Dataset data = small_data();
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)fit_model(data, {.method = "ismap"}); }),
                       "method 'ismap' is not known, did you mean 'isomap'?"));
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)fit_model(data, {.method = "pca", .extension = "llle"}); }),
               "did you mean 'lle'?"));
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)fit_model(data, {.preprocess = {"pcaa"}, .method = "pca"}); }),
               "did you mean 'pca'?"));
  EXPECT_THROW((void)fit_model(data, {.method = ""}), InvalidArgument);
  EXPECT_THROW((void)fit_model(data, {.method = "pca:"}), InvalidArgument);
  EXPECT_THROW((void)fit_model(data, {.preprocess = {"center:mean=1"}, .method = "pca"}), InvalidArgument);
}

TEST(Model, GivesEachMethodItsDefaultExtension) {
  const Dataset data = small_data(30);
  EXPECT_EQ(fit_model(data, {.method = "lle"}).map->info().name, "lle");
  EXPECT_EQ(fit_model(data, {.method = "hessian_lle"}).map->info().name, "lle");
  EXPECT_EQ(fit_model(data, {.method = "ltsa"}).map->info().name, "lle");
  EXPECT_EQ(fit_model(data, {.method = "isomap"}).map->info().name, "geodesic");
  EXPECT_EQ(fit_model(data, {.method = "landmark_isomap"}).map->info().name, "geodesic");
  for (const std::string method : {"laplacian_eigenmaps", "diffusion_maps", "mds", "kpca"})
    EXPECT_EQ(fit_model(data, {.method = method}).map->info().name, "nystrom");
  EXPECT_EQ(fit_model(data, {.method = "pca"}).map->info().name, "pca");
}

TEST(Model, PassesNeighborsOnToTheDefaultExtension) {
  const Dataset data = small_data(40);
  const Model lle = fit_model(data, {.method = "lle:n_neighbors=7,reg=0.01"});
  EXPECT_EQ(value_of(lle.spec.extension.text(), "n_neighbors"), "7");
  EXPECT_EQ(value_of(lle.spec.extension.text(), "reg"), "0.01");
  const Model isomap = fit_model(data, {.method = "isomap:n_neighbors=6,search=brute_force"});
  EXPECT_EQ(value_of(isomap.spec.extension.text(), "n_neighbors"), "6");
  EXPECT_EQ(value_of(isomap.spec.extension.text(), "search"), "brute_force");
  const Model named = fit_model(data, {.method = "lle:n_neighbors=7", .extension = "lle:reg=0.5"});
  EXPECT_EQ(value_of(named.spec.extension.text(), "n_neighbors"), "7");
  EXPECT_EQ(value_of(named.spec.extension.text(), "reg"), "0.5");
}

TEST(Model, LetsTheUserOverrideTheExtension) {
  const Dataset data = small_data(40);
  const Model given = fit_model(data, {.method = "lle:n_neighbors=7", .extension = "lle:n_neighbors=3"});
  EXPECT_EQ(value_of(given.spec.extension.text(), "n_neighbors"), "3");
  const Model natural = fit_model(data, {.method = "lle:n_neighbors=7"});
  const Matrix fresh = dataset::roll(20, 8).array() + 20;
  EXPECT_FALSE(dataset::same_bits(given.transform(fresh), natural.transform(fresh)));
  EXPECT_EQ(fit_model(data, {.method = "isomap", .extension = "lle"}).map->info().name, "lle");
  EXPECT_EQ(fit_model(data, {.method = "pca", .extension = "lle"}).map->info().name, "lle");
}

TEST(Model, WritesAllKeysOfEverySpec) {
  const Model model = fit_model(
      small_data(30),
      {.preprocess = {"center", "pca:n_components=3"}, .method = "lle:n_neighbors=7", .extension = "lle:reg=0.5"});
  EXPECT_EQ(value_of(model.spec.method.text(), "reg"), "0.001");
  EXPECT_EQ(value_of(model.spec.extension.text(), "metric"), "euclidean");
  EXPECT_EQ(value_of(model.spec.preprocess[1].text(), "n_components"), "3");
  EXPECT_EQ(value_of(model.spec.preprocess[1].text(), "whiten"), "false");
  const Model other = fit_model(small_data(30), {.method = "mds", .extension = "lle"});
  EXPECT_EQ(value_of(other.spec.extension.text(), "n_neighbors"), "10");
}

TEST(Model, FitsThePreparedSamples) {
  const Dataset data = small_data(40);
  const Model prepared = fit_model(data, {.preprocess = {"standardize", "unit_norm"}, .method = "lle:n_neighbors=6"});
  Matrix X = data.samples;
  for (const auto& step : prepared.steps) X = step->apply(X);
  const Model plain = fit_model(data_of(X), {.method = "lle:n_neighbors=6"});
  EXPECT_TRUE(dataset::same_bits(prepared.coordinates, plain.coordinates));
  EXPECT_EQ(prepared.n_features, 3);
  EXPECT_TRUE(dataset::same_bits(prepared.transform(data.samples), plain.transform(X)));
}

TEST(Model, RefusesAnotherNumberOfFeatures) {
  const Model model = fit_model(small_data(), {.preprocess = {"pca:n_components=2"}, .method = "pca:n_components=1"});
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)model.transform(Matrix::Ones(2, 2)); }),
                       "2 features, but the model was fitted on 3"));
}

TEST(Model, KeepsLabelsAndImageShape) {
  Dataset data = small_data();
  data.image = {1, 3};
  const Model loaded = from_archive(to_archive(fit_model(data, {.method = "pca"})));
  ASSERT_TRUE(loaded.labels);
  EXPECT_EQ(loaded.labels->names, data.labels->names);
  EXPECT_EQ(loaded.labels->index, data.labels->index);
  EXPECT_EQ(loaded.labels->integers, data.labels->integers);
  EXPECT_EQ(loaded.image.height, 1);
  EXPECT_EQ(loaded.image.width, 3);
}

TEST(Model, StopsOnCancellation) {
  const RunContext context{.progress = [](const Progress&) { return false; }};
  EXPECT_THROW((void)fit_model(data_of(dataset::lifted_roll(300, 12)), {.method = "isomap"}, context), Cancelled);
}

}  // namespace
}  // namespace foldout
