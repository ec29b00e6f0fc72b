// SPDX-License-Identifier: Apache-2.0
// Classifiers trained by the fit and stored in the model.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "classify/svm.h"
#include "core/archive.h"
#include "core/random.h"
#include "core/rows.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"
#include "model/model_archive.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

// Three clouds in five dimensions that overlap.
Dataset clouds(Index per_class, std::uint64_t seed) {
  Dataset data{.samples = dataset::blobs(per_class, 3, 5, 2.5, seed), .labels = {}, .image = {}, .columns = {}};
  std::vector<std::string> texts;
  for (Index i = 0; i < data.samples.rows(); ++i)
    texts.push_back(std::vector<std::string>{"zwei", "eins", "drei"}[static_cast<std::size_t>(i / per_class)]);
  data.labels = make_labels(texts);
  return data;
}

std::vector<std::string> texts_of(const Labels& labels) {
  std::vector<std::string> texts;
  for (Index i = 0; i < labels.size(); ++i) texts.push_back(labels.text(i));
  return texts;
}

const SvmClassifier& svm_of(const Model& model) { return dynamic_cast<const SvmClassifier&>(*model.classifier); }

Model reloaded(const Model& model) { return from_archive(decode_archive(encode_archive(to_archive(model)), "model")); }

TEST(StoredClassifier, SvmSelectsItsParametersInTheFit) {
  const Dataset data = clouds(25, 1);
  const Model model = fit_model(data, {.method = "pca:n_components=3", .classifier = "svm:n_folds=4"});
  ASSERT_TRUE(model.classifier);
  const ComponentSpec spec = ComponentSpec::parse(model.spec.classifier.text());
  EXPECT_EQ(*spec.find("n_folds"), "4");
  EXPECT_EQ(std::stod(*spec.find("cost")), svm_of(model).machine().cost);
  EXPECT_EQ(std::stod(*spec.find("width")), svm_of(model).machine().width);
  EXPECT_EQ(*model.report.find_figure("svm_cost"), svm_of(model).machine().cost);
  EXPECT_GT(*model.report.find_figure("svm_accuracy"), 0.8);
}

TEST(StoredClassifier, SvmOfLargeCoordinatesCanBeLoaded) {
  Dataset data = clouds(25, 1);
  data.samples *= 9e149 / data.samples.cwiseAbs().maxCoeff();
  const Model model = fit_model(data, {.method = "pca:n_components=3", .classifier = "svm"});
  EXPECT_GT(svm_of(model).machine().width, 1e300);
  EXPECT_EQ(svm_of(reloaded(model)).machine().width, svm_of(model).machine().width);
}

TEST(StoredClassifier, SvmIsTheSameAfterLoadingAndIsNotTrainedAgain) {
  const Dataset data = clouds(25, 1), fresh = clouds(40, 2);
  const Model model = fit_model(data, {.method = "pca:n_components=3", .classifier = "svm:seed=7"});
  const Model loaded = reloaded(model);
  const Matrix placed = model.transform(fresh.samples);
  EXPECT_TRUE(dataset::same_bits(svm_of(model).decisions(placed), svm_of(loaded).decisions(placed)));
  EXPECT_EQ(encode_archive(to_archive(loaded)), encode_archive(to_archive(model)));
  const std::vector<std::string> truth = texts_of(*fresh.labels);
  std::vector<std::string> first;
  for (const std::string& asked :
       {model.spec.classifier.text(), std::string("svm:seed=7"), std::string("svm:width=auto,seed=7")}) {
    Report report;
    int calls = 0;
    const auto labels = loaded.classify(fresh.samples, asked,
                                        {.progress =
                                             [&](const Progress& p) {
                                               calls += p.phase == "cross-validation" || p.phase == "support vectors";
                                               return true;
                                             }},
                                        report);
    EXPECT_EQ(calls, 0) << asked;
    EXPECT_EQ(*report.find_figure("svm_width"), svm_of(model).machine().width);
    EXPECT_GT(accuracy(labels, truth), 0.75);
    if (first.empty()) first = labels;
    EXPECT_EQ(labels, first);
  }
  Report report;
  (void)loaded.classify(fresh.samples, "svm:cost=0.5", {}, report);
  EXPECT_EQ(*report.find_figure("svm_cost"), 0.5) << "another one was requested";
  EXPECT_TRUE(report.find_figure("svm_accuracy"));
  (void)loaded.classify(fresh.samples, "nn", {}, report);
}

TEST(StoredClassifier, WritesTheSameFileOnTwoThreads) {
  const Dataset data = clouds(20, 3);
  const ModelSpec spec{.method = "lda", .classifier = "svm"};
  EXPECT_EQ(encode_archive(to_archive(fit_model(data, spec, {.n_threads = 2}))),
            encode_archive(to_archive(fit_model(data, spec))));
}

TEST(StoredClassifier, WorksWithExternalCoordinates) {
  const Dataset data = clouds(20, 3);
  const Model model =
      extend_model(data, data.samples.leftCols(2), {.method = "", .extension = "linear", .classifier = "svm"});
  EXPECT_TRUE(model.classifier);
  EXPECT_TRUE(reloaded(model).classifier);
}

TEST(StoredClassifier, NeedsLabels) {
  Dataset data = clouds(10, 1);
  data.labels.reset();
  for (const std::string classifier : {"nn", "svm"}) {
    const auto text =
        message_of<MissingLabels>([&] { (void)fit_model(data, {.method = "pca", .classifier = classifier}); });
    EXPECT_TRUE(contains(text, classifier) && contains(text, "labels")) << text;
  }
  const auto text =
      message_of<InvalidArgument>([&] { (void)fit_model(clouds(10, 1), {.method = "pca", .classifier = "svm:c=3"}); });
  EXPECT_TRUE(contains(text, "svm has no key 'c'")) << text;
}

TEST(StoredClassifier, InvalidSvmsAreRefused) {
  const Model model = fit_model(clouds(10, 1), {.method = "pca", .classifier = "svm:cost=2,width=3"});
  const Archive good = to_archive(model);
  const auto refused = [&](const std::string& from, const std::string& to) {
    Archive archive = good;
    std::string& about = archive.texts.at("model");
    const std::size_t at = about.find(from);
    ASSERT_NE(at, std::string::npos);
    about.replace(at, from.size(), to);
    EXPECT_THROW((void)from_archive(archive), IoError) << to;
  };
  refused("svm:cost=2,", "svm:cost=auto,");
  refused("svm:cost=2,", "svm:cost=0.001,");  // less than the coefficients
  refused("width=3", "width=auto");
  refused("width=3", "width=-3");
  refused("svm:cost=2,", "svn:cost=2,");
  refused("\"labels\":", "\"label\":");
}

std::filesystem::path data_file(const std::string& name) {
  const char* folder = std::getenv("FOLDOUT_DATA");
  return std::filesystem::path(folder ? folder : "../shared/data") / name;
}

// ORL: five images of each person for training, the other five to recognise.
TEST(StoredClassifier, RecognisesTheOrlFacesAsWellAsAngles) {
  if (!std::filesystem::exists(data_file("orl_X.npy")))
    GTEST_SKIP() << "no " << data_file("orl_X.npy") << " here, and none in FOLDOUT_DATA";
  Dataset all = load_dataset(data_file("orl_X.npy").string()), train, test;
  const Labels labels = load_labels(data_file("orl_y.npy").string());
  std::vector<std::string> known, truth;
  std::vector<Index> learnt, fresh;
  for (Index i = 0; i < all.samples.rows(); ++i) {
    (i % 10 < 5 ? learnt : fresh).push_back(i);
    (i % 10 < 5 ? known : truth).push_back(labels.text(i));
  }
  train.samples = dataset::rows_of(all.samples, learnt);
  train.labels = make_labels(known);
  test.samples = dataset::rows_of(all.samples, fresh);
  ModelSpec spec = preset("faces");
  spec.classifier = "svm:metric=cosine";
  const Model model = fit_model(train, spec, {.n_threads = 2});
  const auto rate = [&](const std::string& classifier) {
    Report report;
    return accuracy(model.classify(test.samples, classifier, {}, report), truth);
  };
  EXPECT_GE(rate(model.spec.classifier.text()), 0.95);
  EXPECT_GE(rate("svm"), rate("nn"));
  EXPECT_GE(rate(model.spec.classifier.text()), rate("affinity") - 0.01);
}

}  // namespace
}  // namespace foldout
