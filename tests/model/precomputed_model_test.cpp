// SPDX-License-Identifier: Apache-2.0
// Models of precomputed distances and kernel values: what they store, accept and refuse.
#include <gtest/gtest.h>

#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/model/compare.h"
#include "foldout/model/model.h"
#include "model/model_archive.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

Dataset data_of(Matrix samples, const Matrix& positions) {
  Dataset data;
  data.samples = std::move(samples);
  std::vector<std::string> labels;
  for (Index i = 0; i < data.samples.rows(); ++i) labels.push_back(positions(i, 0) > 0 ? "right" : "left");
  data.labels = make_labels(labels);
  return data;
}

struct Case {
  std::string method, precomputed;
};

class PrecomputedModel : public testing::TestWithParam<Case> {
 protected:
  const Matrix X_ = dataset::roll(120), fresh_ = dataset::roll(60, 2);
  const Matrix D_ = oracle::distances(X_, X_), rows_ = oracle::distances(fresh_, X_);

  [[nodiscard]] Matrix train() const { return is_kernel() ? Matrix(X_ * X_.transpose()) : D_; }
  [[nodiscard]] Matrix later() const { return is_kernel() ? Matrix(fresh_ * X_.transpose()) : rows_; }
  [[nodiscard]] static bool is_kernel() { return GetParam().method.starts_with("kpca"); }
  [[nodiscard]] Model fit() const { return fit_model(data_of(train(), X_), {.method = GetParam().precomputed}); }
};

TEST_P(PrecomputedModel, PlacesRowsAsTheModelOfTheSamplesPlacesSamples) {
  const Model samples = fit_model(data_of(X_, X_), {.method = GetParam().method}), given = fit();
  const double size = samples.coordinates.cwiseAbs().maxCoeff();
  EXPECT_LT((given.coordinates - samples.coordinates).cwiseAbs().maxCoeff(), 1e-8 * size);
  EXPECT_LT((given.transform(later()) - samples.transform(fresh_)).cwiseAbs().maxCoeff(), 1e-8 * size);
  EXPECT_EQ(given.classify(later()), samples.classify(fresh_));
  EXPECT_EQ(given.spec.extension.name(), samples.spec.extension.name());
}

TEST_P(PrecomputedModel, IsTheSameAfterSaveAndLoadAndStoresNoMatrix) {
  const Model model = fit();
  const Archive archive = to_archive(model);
  for (const auto& [name, tensor] : archive.tensors) {
    Index size = 1;
    for (const auto extent : tensor.shape) size *= static_cast<Index>(extent);
    EXPECT_LT(size, 120 * 100) << name;
  }
  const Model loaded = from_archive(archive);
  EXPECT_TRUE(dataset::same_bits(loaded.transform(later()), model.transform(later())));
  EXPECT_TRUE(
      dataset::same_bits(loaded.transform(later().middleRows(7, 1)), model.transform(later()).middleRows(7, 1)));
  EXPECT_EQ(loaded.classify(later()), model.classify(later()));
  if (is_kernel()) return;
  EXPECT_EQ(loaded.explain(later()).confidence, model.explain(later()).confidence);
}

TEST_P(PrecomputedModel, NeedsAValueForEveryTrainingSample) {
  const auto text = message_of<InvalidArgument>([&] { (void)fit().transform(X_); });
  EXPECT_TRUE(contains(text, "rows have 3 values") && contains(text, "all 120 training samples")) << text;
}

TEST_P(PrecomputedModel, RefusesPartsThatNeedTheSamples) {
  const Dataset data = data_of(train(), X_);
  const auto message = [&](ModelSpec spec) {
    spec.method = GetParam().precomputed;
    return message_of<InvalidArgument>([&] { (void)fit_model(data, spec); });
  };
  EXPECT_TRUE(contains(message({.preprocess = {"standardize"}}), "step standardize needs the samples"));
  EXPECT_TRUE(contains(message({.dictionary = "kmeans"}), "dictionary kmeans needs the samples"));
  for (const std::string extension : {"lle", "sparse", "rbf", "auto", "lvm"}) {
    const std::string text = message({.extension = extension});
    EXPECT_TRUE(contains(text, "extension " + extension + " needs the samples") && contains(text, "nystrom")) << text;
  }
}

TEST_P(PrecomputedModel, IsComparedOverSplitsLikeTheSamples) {
  const CompareOptions options{.repeats = 2};
  const auto given = compare_extensions(data_of(train(), X_), {.method = GetParam().precomputed}, {"nystrom"}, options);
  const auto samples = compare_extensions(data_of(X_, X_), {.method = GetParam().method}, {"nystrom"}, options);
  ASSERT_EQ(given.rows[0].refusal, "");
  EXPECT_NEAR(given.rows[0].placement.mean, samples.rows[0].placement.mean, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Precomputed, PrecomputedModel,
                         testing::Values(Case{"mds:n_components=3", "mds:n_components=3,metric=precomputed"},
                                         Case{"isomap", "isomap:metric=precomputed"},
                                         Case{"isomap:graph=ball", "isomap:graph=ball,metric=precomputed"},
                                         Case{"laplacian_eigenmaps", "laplacian_eigenmaps:metric=precomputed"},
                                         Case{"laplacian_eigenmaps:graph=full",
                                              "laplacian_eigenmaps:graph=full,metric=precomputed"},
                                         Case{"diffusion_maps", "diffusion_maps:metric=precomputed"},
                                         Case{"kpca:kernel=linear", "kpca:kernel=precomputed"}),
                         [](const auto& test) {
                           std::string name = test.param.method;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

TEST(PrecomputedConfidence, FallsWithTheDistanceFromTheTrainingSamples) {
  const Matrix X = dataset::roll(300), fresh = dataset::roll(100, 2);
  const Model model = fit_model(data_of(oracle::distances(X, X), X), {.method = "mds:metric=precomputed"});
  const Matrix near_rows = oracle::distances(fresh, X);
  const Explanation usual = model.explain(near_rows), far = model.explain(near_rows.array() + 30);
  EXPECT_LT((usual.residuals - near_rows.rowwise().minCoeff()).norm(), 1e-12);
  EXPECT_GT((usual.confidence.array() > 0.5).count(), 80);
  EXPECT_LT(far.confidence.maxCoeff(), 0.01);
  EXPECT_EQ(model.explain(oracle::distances(X, X)).confidence.minCoeff(), 1);
}

TEST(PrecomputedConfidence, IsRefusedForKernelValues) {
  const Matrix X = dataset::roll(60), K = X * X.transpose();
  const Model model = fit_model(data_of(K, X), {.method = "kpca:kernel=precomputed"});
  const auto text = message_of<InvalidArgument>([&] { (void)model.explain(K); });
  EXPECT_TRUE(contains(text, "kernel values") && contains(text, "metric=precomputed")) << text;
}

// A coder or graph that reads rows of samples which the file does not contain.
TEST(PrecomputedModels, RefuseFilesThatConfuseSamplesAndDistances) {
  const Matrix X = dataset::roll(60);
  const Model of_distances =
      fit_model(data_of(oracle::distances(X, X), X), {.method = "laplacian_eigenmaps:metric=precomputed"});
  const Model of_samples = fit_model(data_of(X, X), {.method = "lle"});
  const Archive given = to_archive(of_distances), samples = to_archive(of_samples);
  const auto with = [](Archive archive, const std::string& name, const std::vector<std::int64_t>& values) {
    archive.put(name, values);
    return archive;
  };
  ASSERT_NO_THROW((void)from_archive(given));
  EXPECT_THROW((void)from_archive(with(given, "map.search", {0, 0, 0, 10})), IoError) << "samples are missing";
  EXPECT_THROW((void)from_archive(with(given, "map.search", {5, 0, 0, 61})), IoError) << "too many neighbours";
  EXPECT_THROW((void)from_archive(with(given, "map.kinds", {0, 2})), IoError) << "cosines of distances";
  EXPECT_THROW((void)from_archive(with(samples, "map.search", {5, 0, 0, 3})), IoError) << "lle of distances";
}

TEST(FoundValues, OfPcaAreInTheSpec) {
  const Matrix X = dataset::lifted_roll(80, 9);
  const Model model =
      fit_model(data_of(X, X), {.preprocess = {"minmax", "pca:n_components=0.999"}, .method = "pca:n_components=0.9"});
  const auto count = std::to_string(model.coordinates.cols());
  EXPECT_TRUE(contains(model.spec.method.text(), "n_components=" + count + ",")) << model.spec.method.text();
  const auto kept = std::to_string(model.steps[1]->n_outputs());
  EXPECT_TRUE(contains(model.spec.preprocess[1].text(), "n_components=" + kept + ","))
      << model.spec.preprocess[1].text();
  EXPECT_EQ(from_archive(to_archive(model)).spec.method, model.spec.method);
}

}  // namespace
}  // namespace foldout
