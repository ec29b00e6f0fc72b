// SPDX-License-Identifier: Apache-2.0
#include "foldout/model/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"
#include "foldout/io/files.h"
#include "model/classify.h"
#include "model/model_archive.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

std::vector<std::string> labels_by_neighbor(const Model& model, const MatrixRef& samples) {
  Report unused;
  return model.classify(samples, "nn", {}, unused);
}

class StreamedFit : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("foldout_streamed_" + std::to_string(::getpid()) +
                                                        testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static ModelSpec spec(const std::string& keys = "", const std::string& method = "hessian_lle:n_neighbors=8") {
    return {.method = method, .dictionary = "lcdl:n_atoms=300,batch_size=200,coding_tau=3" + keys};
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(StreamedFit, MapsLikeAFitInMemory) {
  const Matrix X = dataset::roll(4000, 4);
  save_matrix(path("x.npy"), X);
  save_matrix(path("x.csv"), X);
  const Model whole = fit_model({.samples = X, .labels = {}, .image = {}, .columns = {}},
                                {.method = "hessian_lle:n_neighbors=8", .dictionary = "lcdl:n_atoms=300,coding_tau=3"});
  for (const std::string file : {"x.npy", "x.csv"})
    for (const std::string keys : {"", ",max_iterations=1"}) {
      const auto stream = open_stream(path(file));
      const Model model = fit_streamed(*stream, {}, spec(keys));
      EXPECT_LE(procrustes(model.transform(X), whole.coordinates), 0.01) << file << keys;
      EXPECT_EQ(model.n_samples, 4000);
      EXPECT_EQ(model.coordinates.rows(), 4000);  // fewer than 20 for each atom: all of them were drawn
      const Model again = from_archive(to_archive(model));
      EXPECT_EQ(again.n_samples, 4000);
      EXPECT_TRUE(dataset::same_bits(again.transform(X), model.transform(X)));
    }
}

TEST_F(StreamedFit, IsTheSameForAnyFormatAndNumberOfThreads) {
  const Matrix X = dataset::roll(1500, 4);
  save_matrix(path("x.npy"), X);
  save_matrix(path("x.csv"), X);
  const auto a = open_stream(path("x.npy")), b = open_stream(path("x.csv"));
  const Model one = fit_streamed(*a, {}, spec(), {.n_threads = 1}),
              two = fit_streamed(*b, {}, spec(), {.n_threads = 2});
  EXPECT_EQ(encode_archive(to_archive(one)), encode_archive(to_archive(two)));
}

TEST_F(StreamedFit, FitsPreprocessingAndLabelsToSamplesDrawnFromAll) {
  Dataset data;
  data.samples = dataset::blobs(1500, 3, 4, 40);
  std::vector<std::string> labels;
  for (Index i = 0; i < 4500; ++i) labels.push_back(i < 1500 ? "x" : i < 3000 ? "y" : "z");  // in order: a hard case
  save_matrix(path("x.npy"), data.samples);
  const auto stream = open_stream(path("x.npy"));
  ModelSpec s{
      .preprocess = {"standardize"}, .method = "lda:n_components=2", .dictionary = "lcdl:n_atoms=30,batch_size=500"};
  const Model model = fit_streamed(*stream, labels, s);
  EXPECT_TRUE(model.report.has_note("steps_from_some"));
  EXPECT_TRUE(contains(*model.report.find_fact("coding_tau_chosen"), "accuracy"));
  EXPECT_EQ(model.labels->size(), 600);
  const std::vector<std::string> found = labels_by_neighbor(model, data.samples);
  int right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == labels[i] ? 1 : 0;
  EXPECT_GE(right, 4480);
}

// On the drawn samples, before the others are read.
TEST_F(StreamedFit, ValidatesTheLocalityItLearnsWith) {
  save_matrix(path("x.npy"), dataset::roll(2000));
  const auto fit = [&](const std::string& locality) {
    const auto stream = open_stream(path("x.npy"));
    return fit_streamed(
        *stream, {},
        {.method = "pca", .dictionary = "lcdl:n_atoms=80,batch_size=500,coding_tau=6,locality=" + locality});
  };
  const Model chosen = fit("auto");
  const double* locality = chosen.report.find_figure("locality");
  ASSERT_TRUE(locality);
  EXPECT_NE(*locality, 0.1) << "which is the default";
  EXPECT_TRUE(dataset::same_bits(chosen.coordinates, fit(fmt::format("{}", *locality)).coordinates));
}

TEST_F(StreamedFit, SamplesOutOfRangeAreNamedByTheirRowInTheFile) {
  Matrix X = dataset::roll(1000);
  X(703, 1) = 1e200;
  save_matrix(path("x.npy"), X);
  const auto stream = open_stream(path("x.npy"));
  const ModelSpec s{.method = "pca", .dictionary = "lcdl:n_atoms=5,batch_size=100"};
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)fit_streamed(*stream, {}, s); }),
                       "counted from sample 700: row 3, column 1"));
}

TEST_F(StreamedFit, EverySeedDrawsOtherSamples) {
  save_matrix(path("x.npy"), dataset::roll(1000));
  const auto atoms = [&](const std::string& seed) {
    const auto stream = open_stream(path("x.npy"));
    const ModelSpec s{.method = "pca", .dictionary = "lcdl:n_atoms=5,batch_size=100,coding_tau=2,seed=" + seed};
    return fit_streamed(*stream, {}, s).coordinates;
  };
  EXPECT_NE(atoms("18446744073709551615"), atoms("18446744073709551614"));
}

TEST_F(StreamedFit, BadRequestsAreNamed) {
  const Matrix X = dataset::roll(500, 4);
  save_matrix(path("x.npy"), X);
  const auto text = [&](const ModelSpec& s, const std::vector<std::string>& labels = {}) {
    const auto stream = open_stream(path("x.npy"));
    return message_of<InvalidArgument>([&] { (void)fit_streamed(*stream, labels, s); });
  };
  EXPECT_TRUE(contains(text(spec(",atom_coordinates=samples")), "needs them in memory"));
  EXPECT_TRUE(contains(text(spec(",monotone=true")), "monotone"));
  EXPECT_TRUE(contains(text({.method = "lle", .dictionary = "lcdl:batch_size=10"}), "needs n_atoms"));
  EXPECT_TRUE(contains(text({.method = "lle", .dictionary = "lcdl:n_atoms=501,batch_size=10"}), "at most the number"));
  EXPECT_TRUE(contains(text(spec(), std::vector<std::string>(499, "a")), "one label per sample"));
  EXPECT_FALSE(learns_from_batches({.method = "lle", .dictionary = "lcdl"}));
  EXPECT_TRUE(learns_from_batches(spec()));
}

}  // namespace
}  // namespace foldout
