// SPDX-License-Identifier: Apache-2.0
#include "foldout/model/model.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/archive.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/core/version.h"
#include "model/model_archive.h"
#include "model/models.h"
#include "model/sealed_file.h"
#include "support/errors.h"

namespace foldout {
namespace {

class ModelFile : public testing::Test {
 protected:
  ModelFile()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("foldout_model_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ModelFile() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(ModelFile, IsAValidSafetensorsFile) {
  for (const ModelSpec& spec : small_specs()) {
    const Bytes file = file_of(spec);
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), 8);
    ASSERT_LE(8 + length, file.size());
    EXPECT_EQ(length % 8, 0U);
    EXPECT_EQ(file[8], '{');
    const auto header = nlohmann::json::parse(file.begin() + 8, file.begin() + 8 + static_cast<std::ptrdiff_t>(length));
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        for (const auto& [key, value] : entry.items()) EXPECT_TRUE(value.is_string()) << key;
        continue;
      }
      ASSERT_EQ(entry.size(), 3U) << name;
      std::uint64_t size = 8;
      EXPECT_TRUE(entry["dtype"] == "F64" || entry["dtype"] == "I64") << name;
      for (const auto& extent : entry["shape"]) size *= extent.get<std::uint64_t>();
      ranges.emplace_back(entry["data_offsets"][0], entry["data_offsets"][1]);
      EXPECT_EQ(ranges.back().second - ranges.back().first, size) << name;
    }
    std::ranges::sort(ranges);
    std::uint64_t covered = 0;
    for (const auto& [begin, end] : ranges) {
      EXPECT_EQ(begin, covered);
      covered = end;
    }
    EXPECT_EQ(8 + length + covered, file.size());
  }
}

TEST_F(ModelFile, DescribesItselfInItsMetadata) {
  const auto header = nlohmann::json::parse(header_text(file_of(small_specs()[1])));
  const auto& metadata = header["__metadata__"];
  EXPECT_EQ(metadata["format"], "foldout");
  EXPECT_EQ(metadata["format_version"], std::to_string(kModelFormat));
  EXPECT_EQ(metadata["foldout_version"], std::string(kVersion));
  EXPECT_EQ(metadata["checksum"].get<std::string>().size(), 5U + 32U);
  EXPECT_TRUE(contains(metadata["text.model"].get<std::string>(), "lle:n_components=2,n_neighbors=4"));
}

TEST_F(ModelFile, HasTheSameBytesForTheSameFit) {
  for (const ModelSpec& spec : small_specs()) {
    EXPECT_EQ(file_of(spec), file_of(spec));
    EXPECT_EQ(encode_archive(to_archive(fit_model(small_data(), spec, {.n_threads = 2}))), file_of(spec));
  }
}

TEST_F(ModelFile, GivesTheSameModelBack) {
  const Matrix fresh = dataset::roll(60, 9).array() + 20;
  for (const ModelSpec& spec : small_specs()) {
    const Model model = fit_model(small_data(), spec);
    save_model(path("model"), model);
    const Model loaded = load_model(path("model"));
    EXPECT_TRUE(dataset::same_bits(loaded.coordinates, model.coordinates));
    EXPECT_TRUE(dataset::same_bits(loaded.eigenvalues, model.eigenvalues));
    EXPECT_EQ(loaded.spec.method.text(), model.spec.method.text());
    EXPECT_EQ(loaded.spec.extension.text(), model.spec.extension.text());
    EXPECT_EQ(loaded.spec.preprocess, model.spec.preprocess);
    EXPECT_EQ(loaded.n_features, model.n_features);
    EXPECT_EQ(loaded.report.notes, model.report.notes);
    EXPECT_TRUE(loaded.report.phases.empty());
    ASSERT_EQ(loaded.map == nullptr, model.map == nullptr);
    EXPECT_TRUE(!model.map || dataset::same_bits(loaded.transform(fresh), model.transform(fresh)));
  }
}

// The samples of a kernel are also the reference of confidence, as given, although the kernel normalises them.
TEST_F(ModelFile, ContainsTheSamplesOfKernelCeaOnce) {
  const Model model = fit_model(small_data(), {.method = "kcea:n_components=2"});
  const Archive archive = to_archive(model);
  EXPECT_FALSE(archive.tensors.contains("confidence_samples"));
  ASSERT_TRUE(model.map->samples());
  EXPECT_EQ(*model.map->samples(), small_data().samples);
  EXPECT_EQ(archive.matrix("map.samples"), small_data().samples);
  const Model loaded = from_archive(archive);
  const Matrix fresh = 1.1 * small_data(20).samples;
  EXPECT_EQ(loaded.transform(fresh), model.transform(fresh));
  EXPECT_EQ(loaded.transform(small_data().samples), model.coordinates);
  const Explanation ours = loaded.explain(fresh);
  const Explanation linear = fit_model(small_data(), {.method = "cea"}).explain(fresh);
  EXPECT_EQ(ours.residuals, linear.residuals) << "confidence depends on the samples, not on the map";
}

TEST_F(ModelFile, KeepsNotesOfTheFit) {
  const Dataset data{.samples = dataset::blobs(20, 2, 3, 100), .labels = {}, .image = {}, .columns = {}};
  save_model(path("model"), fit_model(data, {.method = "lle:n_neighbors=5"}));
  EXPECT_TRUE(load_model(path("model")).report.has_note("components_joined"));
}

TEST_F(ModelFile, MayHaveAnyName) {
  const Model model = fit_model(small_data(), {.method = "pca"});
  for (const std::string name : {"model", "m.npy", "a b.csv", "größe.model"}) {
    save_model(path(name), model);
    EXPECT_TRUE(dataset::same_bits(load_model(path(name)).coordinates, model.coordinates)) << name;
  }
}

TEST_F(ModelFile, KeepsLabelsOfAnyScript) {
  Dataset data = small_data();
  data.labels->names = {"Å 漢字 \"quoted\" \\ \n", "текст"};
  save_model(path("model"), fit_model(data, {.method = "pca"}));
  EXPECT_EQ(load_model(path("model")).labels->names, data.labels->names);
}

// Latin-1 text is not UTF-8, which JSON requires: convert it, or refuse it with a message.
TEST_F(ModelFile, KeepsOrRefusesLabelsThatAreNotUtf8) {
  Dataset data = small_data();
  data.labels->names[1] = "M\xfcller";
  const Model model = fit_model(data, {.method = "pca"});
  try {
    save_model(path("model"), model);
    EXPECT_EQ(load_model(path("model")).labels->names, data.labels->names);
  } catch (const IoError& error) {
    EXPECT_STRNE(error.what(), "");
  } catch (const InvalidArgument& error) {
    EXPECT_STRNE(error.what(), "");
  }
}

TEST_F(ModelFile, NamesTheInvalidFile) {
  const std::string missing = path("none"), text = message_of<IoError>([&] { (void)load_model(missing); });
  EXPECT_TRUE(contains(text, missing)) << text;
  std::ofstream(path("empty"));
  EXPECT_TRUE(contains(message_of<IoError>([&] { (void)load_model(path("empty")); }), path("empty")));
  std::ofstream(path("text")) << "this is no model, but it is long enough to be one";
  EXPECT_TRUE(contains(message_of<IoError>([&] { (void)load_model(path("text")); }), "not a foldout model"));
  EXPECT_FALSE(message_of<IoError>([&] { (void)load_model(folder_.string()); }).empty());  // a folder
}

TEST_F(ModelFile, LeavesNoFileIfItCannotWrite) {
  const Model model = fit_model(small_data(), {.method = "pca"});
  EXPECT_THROW(save_model(path("no/such/folder/model"), model), IoError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace foldout
