// SPDX-License-Identifier: Apache-2.0
#include "io/mat.h"

#include <gtest/gtest.h>

#include "foldout/core/sample_stream.h"
#include "io/io_support.h"
#include "io/sample_files.h"

namespace foldout {
namespace {

using io_test::as_span;
using io_test::expect_error;
using io_test::Folder;
using io_test::matrix;
using sample_files::unpacked;
using Texts = std::vector<std::string>;

Matrix read(const std::string& bytes, const std::string& key, const std::string& path = "a.mat") {
  return to_matrix(MatReader(as_span(bytes), path, {.trusted = true}).read(key), path);
}

Texts labels(const std::string& bytes, const std::string& key, const std::string& path = "a.mat") {
  return MatReader(as_span(bytes), path, {.trusted = true}).read_labels(key);
}

TEST(Mat, ReadsCompressedVariables) {
  EXPECT_EQ(read(sample_files::kMatCompressed, "fea"), matrix({{1, 2.5, 3}, {4, 5, -6}}));
  EXPECT_EQ(labels(sample_files::kMatCompressed, "gnd"), (Texts{"7", "-3"}));
}

TEST(Mat, ReadsBigEndianFiles) { EXPECT_EQ(read(sample_files::kMatBigEndian, "X"), matrix({{1.5}, {-2}})); }

TEST(Mat, MakesSparseMatricesDense) {
  EXPECT_EQ(read(sample_files::kMatMixed, "S"), matrix({{0, 2.5}, {0, 0}, {1, 0}}));
}

TEST(Mat, ReadsCharacterMatricesAsLabels) {
  EXPECT_EQ(labels(sample_files::kMatMixed, "names"), (Texts{"bb", "a", "c"}));
  expect_error([] { (void)read(sample_files::kMatMixed, "names"); }, {"a.mat:names", "not a matrix of numbers"});
}

TEST(Mat, RefusesComplexNumbers) {
  expect_error([] { (void)read(sample_files::kMatMixed, "z"); }, {"a.mat:z", "complex", "separate columns"});
}

TEST(Mat, ListsTheVariablesWhenOneIsMissing) {
  expect_error([] { (void)read(sample_files::kMatCompressed, "X"); }, {"a.mat", "'X'", "fea (2, 3), gnd (1, 2)"});
}

TEST(Mat, WritesWhatItReads) {
  const Matrix values = Matrix::Random(5, 3);
  std::ostringstream numbers;
  write_mat(numbers, "data", MatrixRef(values));
  EXPECT_EQ(read(numbers.str(), "data"), values);
  std::ostringstream integers;
  write_mat(integers, "labels", std::vector<std::int64_t>{1, -9007199254740993});
  EXPECT_EQ(labels(integers.str(), "labels"), (Texts{"1", "-9007199254740993"}));
  std::ostringstream texts;
  write_mat(texts, "labels", make_labels({"cat", "", "grün €"}));
  EXPECT_EQ(labels(texts.str(), "labels"), (Texts{"cat", "", "grün €"}));
}

TEST(Mat, ReadsVersion73) {
  const Folder folder;
  const std::string bytes = unpacked(sample_files::kMat73Packed);
  const std::string path = folder.write("a.mat", bytes);
  EXPECT_EQ(read(bytes, "X", path), matrix({{1, 4}, {2, 5}, {3, 6.5}}));
  EXPECT_EQ(labels(bytes, "y", path), (Texts{"b", "a", "b"}));
  expect_error([&] { (void)read(bytes, "Z", path); }, {"'Z'", "X (3, 2)", "y (3, 1)"});
}

TEST(Mat, ReadsVersion73OnlyIfItIsTrusted) {
  const Folder folder;
  const std::string path = folder.write("a.mat", unpacked(sample_files::kMat73Packed));
  EXPECT_TRUE(is_mat73(path));
  EXPECT_TRUE(is_mat73(path + ":X"));
  EXPECT_FALSE(is_mat73(folder.write("b.mat", sample_files::kMatCompressed)));
  EXPECT_FALSE(is_mat73(folder / "none.mat"));
  for (const auto& call :
       std::vector<std::function<void()>>{[&] { (void)load_dataset(path); }, [&] { (void)load_labels(path + ":y"); },
                                          [&] { (void)load_matrix(path + ":X"); }, [&] { (void)open_stream(path); }})
    expect_error(call, {"a.mat", "version 7.3", "trusted", "-v7"});
  const Dataset data = load_dataset(path, {.trusted = true});
  EXPECT_EQ(data.samples, matrix({{1, 4}, {2, 5}, {3, 6.5}}));
  EXPECT_EQ(data.labels->texts(), (Texts{"b", "a", "b"}));
}

TEST(Mat, RefusesADamagedVersion73) {
  const Folder folder;
  const std::string bytes = unpacked(sample_files::kMat73Packed);
  const std::string cut = bytes.substr(0, bytes.size() - 100);
  expect_error([&] { (void)read(cut, "X", folder.write("cut.mat", cut)); }, {"cut.mat", "cut off"});
}

TEST(Mat, RefusesWhatIsNoMatFile) {
  expect_error([] { (void)read("short", "X"); }, {"a.mat", "only 5 bytes"});
  expect_error([] { (void)read(std::string(200, ' '), "X"); }, {"IM or MI", "-v7"});
  std::string version = sample_files::kMatCompressed;
  version[125] = 7;
  expect_error([&] { (void)read(version, "X"); }, {"version 7;", "5 to 7.3"});
  version[125] = 2;
  expect_error([&] { (void)read(version, "X"); }, {"7.3 without its HDF5 part"});
}

TEST(Mat, RefusesTruncatedVariables) {
  const std::string& bytes = sample_files::kMatCompressed;
  expect_error([&] { (void)read(bytes.substr(0, bytes.size() - 1), "fea"); }, {"a.mat", "cut off"});
}

TEST(Mat, RefusesShapesThatDoNotFitTheData) {
  std::ostringstream out;
  write_mat(out, "data", MatrixRef(Matrix::Ones(2, 2)));
  std::string bytes = out.str();
  bytes[128 + 8 + 16 + 8 + 2] = 1;  // 65538 rows
  expect_error([&] { (void)read(bytes, "data"); }, {"a.mat:data", "(65538, 2)", "32 follow"});
}

TEST(Mat, RefusesAVariableWithoutDimensions) {
  std::string bytes = sample_files::kMatMixed;
  const std::size_t shape = bytes.find("names") - 8 - 8;  // the tag of its dimensions
  bytes.replace(shape - 4, 4, std::string(4, '\0'));
  expect_error([&] { (void)labels(bytes, "names"); }, {"a.mat", "damaged dimensions"});
}

TEST(Mat, RefusesSparseMatricesThatWouldExplode) {
  std::string bytes = sample_files::kMatMixed;
  const std::size_t shape = 128 + 8 + 16 + 8;
  bytes.replace(shape, 8, std::string("\xff\xff\xff\x00\xff\xff\xff\x00", 8));
  expect_error([&] { (void)read(bytes, "S"); }, {"a.mat:S", "16777215 by 16777215", "reduce"});
}

}  // namespace
}  // namespace foldout
