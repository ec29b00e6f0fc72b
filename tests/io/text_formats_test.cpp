// SPDX-License-Identifier: Apache-2.0
// Gzipped tables and JSON lines.
#include <gtest/gtest.h>

#include "foldout/io/files.h"
#include "io/io_support.h"

namespace foldout {
namespace {

using io_test::expect_error;
using io_test::Folder;
using io_test::gzipped;
using io_test::matrix;
using Texts = std::vector<std::string>;

TEST(PackedTables, AreReadAsTheirContents) {
  const Folder folder;
  folder.write("a.csv.gz", gzipped("id,a,label\n7,1.5,x\n8,2,y\n"));
  folder.write("a.tsv.gz", gzipped("1\t2\n3\t4\n"));
  folder.write("l.txt.gz", gzipped("x\ny\n"));
  const Dataset data = load_dataset(folder / "a.csv.gz");
  EXPECT_EQ(data.samples, matrix({{1.5}, {2}}));
  EXPECT_EQ(data.ids, (Texts{"7", "8"}));
  EXPECT_EQ(data.labels->texts(), (Texts{"x", "y"}));
  EXPECT_EQ(load_matrix(folder / "a.tsv.gz"), matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(load_labels(folder / "l.txt.gz").texts(), (Texts{"x", "y"}));
  const auto stream = open_stream(folder / "a.tsv.gz");
  Matrix block;
  EXPECT_TRUE(stream->next(block, 1));
  stream->restart();
  EXPECT_EQ(read_all(*stream).samples.rows(), 2);
}

TEST(PackedTables, ThatAreDamagedAreRefused) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 37 % 1001) + "," + std::to_string(i) + "\n";
  const std::string whole = gzipped(text);
  folder.write("cut.csv.gz", whole.substr(0, whole.size() / 2));
  expect_error([&] { (void)load_dataset(folder / "cut.csv.gz"); }, {"cut.csv.gz"});
  folder.write("not.csv.gz", "1,2\n");
  expect_error([&] { (void)load_dataset(folder / "not.csv.gz"); }, {"not.csv.gz"});
  expect_error<InvalidArgument>([&] { save_matrix(folder / "a.csv.gz", matrix({{1}})); }, {"a.csv.gz", "ending"});
}

TEST(JsonLines, AreArraysOrObjects) {
  const Folder folder;
  folder.write("a.jsonl", "[1, 2.5]\n\n[-3e2, 4]\n");
  EXPECT_EQ(load_dataset(folder / "a.jsonl").samples, matrix({{1, 2.5}, {-3e2, 4}}));
  folder.write("b.jsonl", R"({"id": "a\"b", "x": [1, 2]})"
                          "\n"
                          R"({"x": [3, 4], "id": 17, "other": null})"
                          "\n");
  const Dataset data = load_dataset(folder / "b.jsonl");
  EXPECT_EQ(data.samples, matrix({{1, 2}, {3, 4}}));
  EXPECT_EQ(data.ids, (Texts{"a\"b", "17"}));
  folder.write("c.jsonl", R"({"x": [1], "label": 5})");
  EXPECT_EQ(load_dataset(folder / "c.jsonl").labels->texts(), (Texts{"5"}));
}

TEST(JsonLines, NameTheLineOfWhatIsWrong) {
  const Folder folder;
  const auto read = [&](const std::string& text, const ReadOptions& options = {}) {
    folder.write("a.jsonl", text);
    return [&folder, options] { (void)load_dataset(folder / "a.jsonl", options); };
  };
  expect_error(read("[1]\n[2\n"), {"a.jsonl", "line 2", "JSON"});
  expect_error(read("[1]\n[2, 3]\n"), {"line 2 has 2", "the first sample has 1"});
  expect_error(read("{\"y\": [1]}\n"), {"line 1", "x"});
  expect_error(read("[1, \"a\"]\n"), {"line 1, value 2", "not a number"});
  expect_error(read("[1, null]\n"), {"line 1, value 2", "missing="});
  expect_error(read("[1e999]\n"), {"line 1"});
  expect_error(read("\n"), {"no samples"});
  expect_error(read("{\"x\":[1],\"id\":1}\n{\"x\":[2]}\n"), {"line 2", "id", "all"});
  expect_error(read("[1]\n", {.columns = {.label = "1"}}), {"JSON", "columns"});
}

TEST(JsonLines, MissingValuesAreDroppedOrReplaced) {
  const Folder folder;
  folder.write("a.jsonl", "[1, 2]\n[null, 4]\n[5, 6]\n");
  EXPECT_EQ(load_dataset(folder / "a.jsonl", {.missing = MissingValues::kDrop}).samples, matrix({{1, 2}, {5, 6}}));
  const Dataset filled = load_dataset(folder / "a.jsonl", {.missing = MissingValues::kMean});
  EXPECT_EQ(filled.samples, matrix({{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(filled.fill, (Vector{{3, 4}}));
  const auto stream = open_stream(folder / "a.jsonl", {.missing = MissingValues::kDrop});
  (void)read_all(*stream);
  EXPECT_EQ(stream->skipped().at(0).place, "line 2");
}

}  // namespace
}  // namespace foldout
