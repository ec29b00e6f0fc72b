// SPDX-License-Identifier: Apache-2.0
#include "io/idx.h"

#include <gtest/gtest.h>
#include "foldout/core/dataset.h"
#include "foldout/io/files.h"
#include "io/io_support.h"

namespace foldout {
namespace {

using io_test::as_span;
using io_test::expect_error;
using io_test::gzipped;
using io_test::matrix;

std::string bytes_of(std::initializer_list<int> values) {
  std::string bytes;
  for (const int value : values) bytes.push_back(static_cast<char>(value));
  return bytes;
}

Matrix read(const std::string& bytes) { return to_matrix(parse_idx(as_span(bytes), "a.idx"), "a.idx"); }

const std::string kImages = bytes_of({0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 1, 2, 3, 4, 5, 255});

TEST(Idx, ReadsImagesPlainAndGzipped) {
  const io_test::Folder folder;
  for (const std::string& bytes : {kImages, gzipped(kImages)}) {
    const Dataset dataset = load_dataset(folder.write("a.idx", bytes));
    EXPECT_EQ(dataset.samples, matrix({{1, 2, 3}, {4, 5, 255}}));
    EXPECT_EQ(dataset.image.height, 1);
    EXPECT_EQ(dataset.image.width, 3);
  }
}

TEST(Idx, ReadsEveryTypeBigEndian) {
  EXPECT_EQ(read(bytes_of({0, 0, 9, 1, 0, 0, 0, 1, 0xff})), matrix({{-1}}));
  EXPECT_EQ(read(bytes_of({0, 0, 11, 1, 0, 0, 0, 1, 0xff, 0xfe})), matrix({{-2}}));
  EXPECT_EQ(read(bytes_of({0, 0, 12, 1, 0, 0, 0, 1, 0, 1, 0, 0})), matrix({{65536}}));
  EXPECT_EQ(read(bytes_of({0, 0, 13, 1, 0, 0, 0, 1, 0x3f, 0xc0, 0, 0})), matrix({{1.5}}));
  EXPECT_EQ(read(bytes_of({0, 0, 14, 1, 0, 0, 0, 1, 0xc0, 4, 0, 0, 0, 0, 0, 0})), matrix({{-2.5}}));
}

TEST(Idx, RefusesDamagedFiles) {
  expect_error([] { (void)read("text"); }, {"a.idx", "not an IDX file"});
  expect_error([] { (void)read(""); }, {"not an IDX file"});
  expect_error([] { (void)read(bytes_of({0, 0, 10, 1, 0, 0, 0, 1, 0})); }, {"element type 0x0a"});
  expect_error([] { (void)read(bytes_of({0, 0, 8, 9, 0, 0, 0, 1, 0})); }, {"9 dimensions"});
  expect_error([] { (void)read(kImages.substr(0, 20)); }, {"(2, 1, 3)", "6 bytes", "4 follow", "cut off"});
  expect_error([] { (void)read(kImages.substr(0, 10)); }, {"shape", "cut off"});
  expect_error([] { (void)read(kImages + "x"); }, {"appended"});
  expect_error([] { (void)read(bytes_of({0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 5})); }, {"(0, 5)", "no samples"});
}

TEST(Idx, RefusesOverflowingShapes) {
  const int f = 0xff;
  const std::string shape = bytes_of({0, 0, 14, 3, f, f, f, f, f, f, f, f, f, f, f, f});
  expect_error([&] { (void)read(shape); }, {"more than any file can hold"});
  expect_error([&] { (void)read(gzipped(shape)); }, {"more than any file can hold"});
}

TEST(Idx, RefusesGzipThatDoesNotFitItsShape) {
  const std::string packed = gzipped(kImages);
  expect_error([&] { (void)read(packed.substr(0, packed.size() - 10)); }, {"a.idx", "cut off"});
  expect_error([&] { (void)read(gzipped(kImages.substr(0, 20))); }, {"4 bytes", "6 are needed"});
  expect_error([&] { (void)read(gzipped(kImages + std::string(100000, 'x'))); }, {"more than its header says"});
  const std::string bomb = bytes_of({0, 0, 8, 1, 0x7f, 0, 0, 0});
  expect_error([&] { (void)read(gzipped(bomb)); }, {"2130706432", "more than packing can do"});
}

}  // namespace
}  // namespace foldout
