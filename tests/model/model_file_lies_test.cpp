// SPDX-License-Identifier: Apache-2.0
// Files whose checksum is right but whose contents are not: no checksum protects against a hostile writer.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/archive.h"
#include "core/random.h"
#include "foldout/core/error.h"
#include "model/model_archive.h"
#include "model/models.h"
#include "model/sealed_file.h"
#include "support/errors.h"

namespace foldout {
namespace {

using Json = nlohmann::json;
using Change = std::function<void(Json&)>;

testing::AssertionResult refused(const Bytes& bytes) {
  try {
    (void)from_archive(decode_archive(bytes, "m.fold"));
  } catch (const IoError&) {
    return testing::AssertionSuccess();
  } catch (const std::exception& error) {
    return testing::AssertionFailure() << "not an IoError: " << error.what();
  }
  return testing::AssertionFailure() << "accepted";
}

void expect_refused(const Bytes& good, const std::vector<std::pair<std::string, Change>>& lies) {
  ASSERT_NO_THROW((void)from_archive(decode_archive(with_header(good, [](Json&) {}), "m.fold")));
  for (const auto& [what, lie] : lies) EXPECT_TRUE(refused(with_header(good, lie))) << what;
}

// Changes the model's description, which is JSON inside the metadata.
Change about(const std::function<void(Json&)>& change) {
  return [=](Json& header) {
    Json description = Json::parse(header["__metadata__"]["text.model"].get<std::string>());
    change(description);
    header["__metadata__"]["text.model"] = description.dump();
  };
}

const Bytes& pca_file() {
  static const Bytes file = file_of(small_specs()[0]);
  return file;
}

TEST(ModelFileLies, SealingAgainChangesNothing) {
  EXPECT_EQ(sealed(header_text(pca_file()), data_of(pca_file())), pca_file());
}

TEST(ModelFileLies, AboutWhereArraysAreAreSeen) {
  const auto offsets = [](const Json& value) { return [=](Json& h) { h["coordinates"]["data_offsets"] = value; }; };
  expect_refused(pca_file(), {{"beyond the end", offsets({0, 1 << 20})},
                              {"reversed", offsets({192, 0})},
                              {"negative", offsets({-8, 184})},
                              {"huge", offsets({0, ~std::uint64_t{0}})},
                              {"wrapping", offsets({~std::uint64_t{0} - 7, 184})},
                              {"shifted", offsets({8, 200})},
                              {"one number", offsets({0})},
                              {"none", offsets(Json::array())},
                              {"text", offsets("0")},
                              {"object", offsets(Json::object())},
                              {"null", offsets(nullptr)},
                              {"missing", [](Json& h) { h["coordinates"].erase("data_offsets"); }},
                              {"two arrays in one place",
                               [](Json& h) { h["eigenvalues"]["data_offsets"] = h["map.offset"]["data_offsets"]; }},
                              {"an array that is not declared", [](Json& h) { h.erase("eigenvalues"); }},
                              {"one array too many", [](Json& h) { h["extra"] = h["coordinates"]; }},
                              {"an entry that is no object", [](Json& h) { h["coordinates"] = 3; }}});
}

TEST(ModelFileLies, AboutShapesAndTypesAreSeen) {
  const auto shape = [](const Json& value) { return [=](Json& h) { h["coordinates"]["shape"] = value; }; };
  const auto dtype = [](const Json& value) { return [=](Json& h) { h["coordinates"]["dtype"] = value; }; };
  expect_refused(pca_file(), {{"transposed", shape({2, 12})},
                              {"flat", shape({24})},
                              {"more", shape({12, 3})},
                              {"negative", shape({-12, -2})},
                              {"overflowing", shape({std::uint64_t{1} << 62, 16})},
                              {"overflowing to the right size", shape({std::uint64_t{1} << 63, 2, 12})},
                              {"with zero", shape({0, std::uint64_t{1} << 63})},
                              {"text", shape("12")},
                              {"fractions", shape({12.5, 2.5})},
                              {"true", shape({12, true})},
                              {"missing", [](Json& h) { h["coordinates"].erase("shape"); }},
                              {"I64", dtype("I64")},
                              {"F32", dtype("F32")},
                              {"unknown", dtype("F65")},
                              {"empty", dtype("")},
                              {"number", dtype(64)}});
}

TEST(ModelFileLies, AboutEmptyArraysOfAbsurdShapeAreSeen) {
  Archive archive = decode_archive(pca_file(), "m.fold");
  for (const std::vector<std::uint64_t>& shape :
       {std::vector<std::uint64_t>{0, 1ULL << 63}, {1ULL << 63, 0}, {0, ~0ULL}, {0, 2}, {0, 0}, {1ULL << 62, 0}})
    for (const char* name : {"coordinates", "map.V"}) {
      Archive lie = archive;
      lie.tensors[name] = {"F64", shape, {}};
      EXPECT_TRUE(refused(encode_archive(lie))) << name << " " << shape[0] << "×" << shape[1];
    }
}

TEST(ModelFileLies, AboutTheFormatAreSeen) {
  const auto metadata = [](const std::string& key, const Json& value) {
    return [=](Json& h) { h["__metadata__"][key] = value; };
  };
  expect_refused(pca_file(), {{"format", metadata("format", "other")},
                              {"no format", [](Json& h) { h["__metadata__"].erase("format"); }},
                              {"version 0", metadata("format_version", "0")},
                              {"version -1", metadata("format_version", "-1")},
                              {"version 1x", metadata("format_version", "1x")},
                              {"version 1.0", metadata("format_version", "1.0")},
                              {"no version", [](Json& h) { h["__metadata__"].erase("format_version"); }},
                              {"huge version", metadata("format_version", "99999999999999999999")},
                              {"a number in the metadata", metadata("text.other", 5)},
                              {"no model", [](Json& h) { h["__metadata__"].erase("text.model"); }},
                              {"no metadata", [](Json& h) { h.erase("__metadata__"); }},
                              {"metadata that is a list", [](Json& h) { h["__metadata__"] = Json::array(); }}});
}

TEST(ModelFileLies, ANewerFormatNamesTheRemedy) {
  const Bytes newer = with_header(pca_file(), [](Json& h) { h["__metadata__"]["format_version"] = "2"; });
  const std::string text = message_of<IoError>([&] { (void)decode_archive(newer, "m.fold"); });
  EXPECT_TRUE(contains(text, "m.fold: the model has format version 2")) << text;
  EXPECT_TRUE(contains(text, "reads versions up to 1")) << text;
  EXPECT_TRUE(contains(text, "install a newer foldout")) << text;
}

TEST(ModelFileLies, AChecksumInAnotherPlaceDoesNotCount) {
  const std::string header = header_text(pca_file());
  const Bytes data = data_of(pca_file());
  std::string twice = header;  // a second checksum, in a text
  twice.insert(twice.find("\"format\""), R"("checksum":"xxh3:00000000000000000000000000000000",)");
  EXPECT_TRUE(refused(sealed(twice, data)));
  std::string spaced = header;
  spaced.replace(spaced.find("\"checksum\":"), 11, "\"checksum\" :");
  EXPECT_TRUE(refused(sealed(spaced, data)));
  Bytes upper = pca_file();
  for (std::size_t i = header.find("xxh3:") + 13, end = i + 32; i < end; ++i)
    upper[i] = static_cast<std::uint8_t>(std::toupper(upper[i]));
  EXPECT_TRUE(refused(upper));
}

TEST(ModelFileLies, AboutTheModelAreSeen) {
  const auto set = [](const std::string& key, const Json& value) { return about([=](Json& a) { a[key] = value; }); };
  std::vector<std::pair<std::string, Change>> lies{
      {"no JSON", [](Json& h) { h["__metadata__"]["text.model"] = "{"; }},
      {"empty", [](Json& h) { h["__metadata__"]["text.model"] = ""; }},
      {"a list", [](Json& h) { h["__metadata__"]["text.model"] = "[]"; }},
      {"features", set("n_features", 4)},
      {"negative features", set("n_features", -3)},
      {"features as text", set("n_features", "3")},
      {"fractional features", set("n_features", 3.5)},
      {"no method", set("method", "")},
      {"malformed method", set("method", "pca:n_components")},
      {"unknown method", set("method", "pcb:n_components=2")},
      {"method as number", set("method", 7)},
      {"malformed extension", set("extension", ":")},
      {"a step too many", set("preprocess", {"center"})},
      {"preprocess as text", set("preprocess", "center")},
      {"image as text", set("image", "no")},
      {"image of other size", set("image", {7, 9})},
      {"negative image", set("image", {-1, -3})},
      {"image too short", set("image", {3})},
      {"label names", about([](Json& a) { a["labels"]["names"] = {"even"}; })},
      {"labels as text", set("labels", "even")},
      {"no report", about([](Json& a) { a.erase("report"); })},
      {"report", set("report", Json::array())},
      {"a figure as text", about([](Json& a) { a["report"]["figures"]["x"] = "1"; })},
  };
  for (const char* key : {"preprocess", "method", "extension", "n_features", "image"})
    lies.emplace_back(std::string("without ") + key, about([=](Json& a) { a.erase(key); }));
  expect_refused(pca_file(), lies);
}

// Random values, shapes and texts with a correct checksum: refused, or a model that works or reports why it cannot.
TEST(ModelFileLies, RandomContentsNeverCrash) {
  Rng rng(5);
  const Matrix fresh = small_data(5).samples;
  const double odd[] = {0, -1, 1, 1e300, -1e300, 1e-320, std::nan(""), 3, 12, 2147483648.0};
  for (const ModelSpec& spec : small_specs()) {
    const Archive good = decode_archive(file_of(spec), "m.fold");
    for (int round = 0; round < 400; ++round) {
      Archive archive = good;
      auto at = archive.tensors.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(rng.below(archive.tensors.size())));
      Tensor& tensor = at->second;
      if (!tensor.bytes.empty() && rng.below(4) > 0) {
        const std::size_t slot = 8 * rng.below(tensor.bytes.size() / 8);
        const double value = odd[rng.below(std::size(odd))];
        const auto integer = static_cast<std::int64_t>(rng.below(40)) - 10;
        std::vector<std::uint8_t> bytes = tensor.bytes.copy();
        std::memcpy(bytes.data() + slot, tensor.dtype == "F64" ? static_cast<const void*>(&value) : &integer, 8);
        tensor.bytes = ByteBlock(std::move(bytes));
      } else if (!tensor.shape.empty()) {
        const std::uint64_t extent = tensor.shape[0] == 0 ? 1 : tensor.shape[0] - 1;
        if (tensor.shape[0] > 0) {
          std::vector<std::uint8_t> bytes = tensor.bytes.copy();
          bytes.resize(bytes.size() / tensor.shape[0] * extent);
          tensor.bytes = ByteBlock(std::move(bytes));
          tensor.shape[0] = extent;
        }
      }
      try {
        const Model model = from_archive(decode_archive(encode_archive(archive), "m.fold"));
        EXPECT_TRUE(model.transform(fresh).allFinite()) << spec.method.text() << " " << spec.extension.text();
        const Explanation explanation = model.explain(fresh);
        EXPECT_TRUE(explanation.residuals.allFinite()) << spec.method.text() << " " << spec.extension.text();
        EXPECT_TRUE(explanation.confidence.minCoeff() >= 0 && explanation.confidence.maxCoeff() <= 1);
      } catch (const IoError&) {
      } catch (const InvalidArgument&) {  // from transform: a zero row by the cosine, a step without a direction
      } catch (const NumericalError&) {
      }
    }
  }
}

}  // namespace
}  // namespace foldout
