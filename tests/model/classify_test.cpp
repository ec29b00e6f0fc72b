// SPDX-License-Identifier: Apache-2.0
#include "components/rows.h"
#include "foldout/model/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "classify/classifier.h"
#include "core/random.h"
#include "core/tally.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "model/model_archive.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

// Three clouds of positive samples, each with the given label.
Dataset clouds(Index per_class, const std::vector<std::string>& names, std::uint64_t seed = 1) {
  const auto parts = static_cast<Index>(names.size());
  Dataset data{
      .samples = dataset::blobs(per_class, parts, 5, 12.0, seed).array() + 6, .labels = {}, .image = {}, .columns = {}};
  std::vector<std::string> texts;
  for (Index i = 0; i < data.samples.rows(); ++i) {
    data.samples(i, i / per_class % 5) += 20;  // apart in angle too
    texts.push_back(names[static_cast<std::size_t>(i / per_class)]);
  }
  data.labels = make_labels(texts);
  return data;
}

std::vector<std::string> texts_of(const Dataset& data) {
  std::vector<std::string> texts;
  for (Index i = 0; i < data.labels->size(); ++i) texts.push_back(data.labels->text(i));
  return texts;
}

std::vector<std::string> classify(const Model& model, const Matrix& samples, const std::string& spec, int threads = 1) {
  Report unused;
  return model.classify(samples, spec, {.n_threads = threads}, unused);
}

TEST(Classify, WritesLabelsAsInTheTrainingData) {
  using Names = std::vector<std::string>;
  for (const Names& names : {Names{"10", "-2", "7"}, Names{"Zoë", "a b", "07th"}}) {
    const Dataset data = clouds(15, names), fresh = clouds(8, names, 2);
    const Model model = fit_model(data, {.method = "mds:n_components=3", .extension = "sparse"});
    EXPECT_EQ(model.labels->integers, names[0] == "10");
    for (const std::string classifier : {"nn", "nn:n_neighbors=5", "affinity", "svm", "sparse", "sparse:space=samples"})
      EXPECT_EQ(classify(model, fresh.samples, classifier), texts_of(fresh)) << classifier;
  }
}

TEST(Classify, WorksAfterAnyFit) {
  const Dataset data = clouds(20, {"x", "y", "z"}), fresh = clouds(5, {"x", "y", "z"}, 3);
  for (const MethodRow& method : method_table()) {
    const Model model = fit_model(data, {.preprocess = {"standardize"}, .method = std::string(method.name)});
    const Model loaded = from_archive(decode_archive(encode_archive(to_archive(model)), "model"));
    for (const std::string classifier : {"nn", "sparse", "sparse:space=embedding", "svm:cost=2,width=5"}) {
      const auto labels = classify(model, fresh.samples, classifier);
      EXPECT_EQ(labels, classify(loaded, fresh.samples, classifier, 2)) << method.name << " " << classifier;
      EXPECT_EQ(labels.size(), 15U);
    }
    Tally unused;
    const auto nearest = nearest_classifier({model.coordinates, data.labels->index});
    std::vector<std::string> expected;
    for (const int label : nearest->predict(model.transform(fresh.samples), {}, unused))
      expected.push_back(data.labels->names[static_cast<std::size_t>(label)]);
    EXPECT_EQ(classify(model, fresh.samples, "nn"), expected) << method.name;
  }
}

// Samples are coded in input space if the model contains all training samples, otherwise in the embedding.
TEST(Classify, CodesSamplesOrCoordinates) {
  const Dataset data = clouds(12, {"0", "1", "2"}), fresh = clouds(12, {"0", "1", "2"}, 4);
  const Matrix odd = fresh.samples + 9 * Rng(5).normal_matrix(36, 5);
  Tally unused;
  const ModelSpec held{.preprocess = {"standardize"}, .method = "isomap:n_neighbors=15", .extension = "sparse"};
  const Model model = fit_model(data, held);
  const auto in_samples =
      sparse_classifier({model.prepare(data.samples), data.labels->index})->predict(model.prepare(odd), {}, unused);
  const auto in_embedding =
      sparse_classifier({model.coordinates, data.labels->index})->predict(model.transform(odd), {}, unused);
  ASSERT_NE(in_samples, in_embedding) << "otherwise this test proves nothing";
  const auto index_of = [](const std::vector<std::string>& labels) {
    std::vector<int> index;
    for (const std::string& label : labels) index.push_back(std::stoi(label));
    return index;
  };
  EXPECT_EQ(index_of(classify(model, odd, "sparse")), in_samples);
  EXPECT_EQ(index_of(classify(model, odd, "sparse:space=auto")), in_samples);
  EXPECT_EQ(index_of(classify(model, odd, "sparse:space=samples")), in_samples);
  EXPECT_EQ(index_of(classify(model, odd, "sparse:space=embedding")), in_embedding);

  const Model without = fit_model(data, {.method = "isomap:n_neighbors=15", .extension = "elm:n_nodes=40"});
  EXPECT_EQ(classify(without, odd, "sparse"), classify(without, odd, "sparse:space=embedding"));
  const auto text = message_of<InvalidArgument>([&] { (void)classify(without, odd, "sparse:space=samples"); });
  EXPECT_TRUE(contains(text, "space=embedding")) << text;
}

TEST(Classify, ReportsTheNotesOfPlacement) {
  const Dataset data = clouds(12, {"0", "1", "2"});
  const Model model = fit_model(data, {.method = "mds", .extension = "sparse"});
  Report report;
  (void)model.classify(Matrix::Zero(2, 5), "nn", {}, report);
  EXPECT_TRUE(report.find_figure("largest_gap"));
  EXPECT_FALSE(report.notes.empty()) << "a sample of zeros has no code";
}

TEST(Classify, WorksWithOneClass) {
  const Dataset data = clouds(20, {"only"});
  const Model model = fit_model(data, {.method = "pca"});
  for (const std::string classifier : {"nn", "affinity", "svm", "sparse"})
    EXPECT_EQ(classify(model, data.samples.topRows(2), classifier), (std::vector<std::string>{"only", "only"}));
}

TEST(Classify, UsesTheLabelsOfSamplesWithGivenCoordinates) {
  const Dataset data = clouds(10, {"p", "q"});
  const Model model = extend_model(data, data.samples.leftCols(2), {.method = "", .extension = "lvm:n_neighbors=1"});
  EXPECT_EQ(classify(model, data.samples, "nn"), texts_of(data));
}

TEST(Classify, RefusesWrongRequests) {
  Dataset data = clouds(10, {"p", "q"});
  const Model model = fit_model(data, {.method = "mds"});
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)classify(model, data.samples, "spares"); }), "sparse"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)classify(model, data.samples, "nn:k=3"); }), "k"));
  EXPECT_THROW((void)classify(model, data.samples, "affinity:k=3"), InvalidArgument);
  EXPECT_THROW((void)classify(model, data.samples, "nn:n_neighbors=21"), InvalidArgument);
  Matrix bad = data.samples;
  bad(7, 3) = std::nan("");
  for (const std::string classifier : {"nn", "affinity", "svm", "sparse", "sparse:space=embedding"}) {
    const auto text = message_of<InvalidArgument>([&] { (void)classify(model, bad, classifier); });
    EXPECT_TRUE(contains(text, "row 7, column 3")) << classifier << ": " << text;
    EXPECT_THROW((void)classify(model, data.samples.leftCols(4), classifier), InvalidArgument);
  }
  data.labels.reset();
  const auto text = message_of<MissingLabels>([&] { (void)classify(fit_model(data, {.method = "mds"}), bad, "nn"); });
  EXPECT_TRUE(contains(text, "labels")) << text;
}

}  // namespace
}  // namespace foldout
