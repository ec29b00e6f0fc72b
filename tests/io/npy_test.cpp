// SPDX-License-Identifier: Apache-2.0
#include "io/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <sstream>

#include "foldout/core/dataset.h"
#include "foldout/io/files.h"
#include "io/io_support.h"
#include "io/sample_files.h"

namespace foldout {
namespace {

using io_test::as_span;
using io_test::expect_error;
using io_test::matrix;

const Matrix kExample = matrix({{1, 2.5, 3}, {4, 5, -6}});

Array parse(const std::string& bytes) { return parse_npy(as_span(bytes), "a.npy"); }

/// A file of version 1 with this dictionary and these data.
std::string make_npy(std::string_view dictionary, std::string_view data = {}) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(dictionary.size() & 255);
  bytes += static_cast<char>(dictionary.size() >> 8);
  return bytes.append(dictionary).append(data);
}

std::string with_shape(std::string_view shape, std::string_view data = {}) {
  return make_npy("{'descr': '<f8', 'fortran_order': False, 'shape': " + std::string(shape) + "}", data);
}

TEST(Npy, ReadsFortranOrder) {
  const Array array = parse(sample_files::kNpyFortran);
  EXPECT_TRUE(array.column_major);
  EXPECT_EQ(to_matrix(array, "a.npy"), kExample);
}

TEST(Npy, ReadsVersion2AndBigEndianIntegers) {
  EXPECT_EQ(to_matrix(parse(sample_files::kNpyVersion2), "a.npy"), matrix({{1, 2, 3}, {4, 5, -6}}));
}

TEST(Npy, ReadsVersion3AndHalfPrecision) { EXPECT_EQ(to_matrix(parse(sample_files::kNpyVersion3), "a.npy"), kExample); }

TEST(Npy, ReadsEveryHalfPrecisionClass) {
  // 1, the largest, the smallest normal, the smallest subnormal, −0
  const std::string data("\x00\x3c\xff\x7b\x00\x04\x01\x00\x00\x80", 10);
  const std::string bytes = make_npy("{'descr': '<f2', 'fortran_order': False, 'shape': (1, 5), }", data);
  const Matrix expected = matrix({{1, 65504, 0x1p-14, 0x1p-24, 0}});
  EXPECT_EQ(to_matrix(parse(bytes), "a.npy"), expected);
}

TEST(Npy, ReadsImagesInFortranOrder) {
  const io_test::Folder folder;
  const Dataset dataset = load_dataset(folder.write("a.npy", sample_files::kNpyImages));
  EXPECT_EQ(dataset.samples, matrix({{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}));
  EXPECT_EQ(dataset.image.height, 2);
  EXPECT_EQ(dataset.image.width, 3);
}

TEST(Npy, ReadsTextsAsLabels) {
  const std::vector<std::string> unicode = {"b", "ä€", "b"};
  const std::vector<std::string> bytes = {"no", "yes"};
  EXPECT_EQ(to_label_texts(parse(sample_files::kNpyUnicode), "a.npy"), unicode);
  EXPECT_EQ(to_label_texts(parse(sample_files::kNpyBytes), "a.npy"), bytes);
  expect_error([] { (void)to_matrix(parse(sample_files::kNpyUnicode), "a.npy"); }, {"a.npy", "texts", "numbers"});
}

TEST(Npy, TakesWholeNumbersButNoFractionsForLabels) {
  const double values[] = {3, -1, 2.5};
  std::ostringstream out;
  write_npy(out, std::span<const double>(values, 2));
  const std::vector<std::string> expected = {"3", "-1"};
  EXPECT_EQ(to_label_texts(parse(out.str()), "y.npy"), expected);
  out.str("");
  write_npy(out, std::span<const double>(values));
  expect_error([&] { (void)to_label_texts(parse(out.str()), "y.npy"); },
               {"y.npy", "row 2", "2.5", "integers or texts"});
}

// Bytes that come in pieces, as from an archive.
class Pieces final : public ByteSource {
 public:
  explicit Pieces(const std::string& bytes) : ByteSource("a.npz:a", bytes.size()), bytes_(bytes) {}

 private:
  std::size_t unpack_into(std::span<std::byte> out) override {
    const std::size_t count = std::min(out.size(), bytes_.size() - position());
    std::memcpy(out.data(), bytes_.data() + position(), count);
    return count;
  }
  std::string bytes_;
};

TEST(Npy, ReadsTheHeaderOfASourceAndNoMore) {
  for (const std::string& bytes : {sample_files::kNpyFortran, sample_files::kNpyVersion2, sample_files::kNpyVersion3}) {
    const Array whole = parse(bytes);
    Pieces source(bytes);
    const Array header = read_npy_header(source, "a.npz:a");
    EXPECT_EQ(header.shape, whole.shape);
    EXPECT_EQ(header.column_major, whole.column_major);
    EXPECT_EQ(source.position(), bytes.size() - whole.bytes.size());
    for (const std::size_t size : {0, 5, 8, 9, 11, 40})
      expect_error(
          [&] {
            Pieces cut(bytes.substr(0, size));
            (void)read_npy_header(cut, "a.npz:a");
          },
          {"a.npz:a"});
  }
}

TEST(Npy, RefusesPickledObjectsAndSaysWhy) {
  expect_error([] { (void)parse(sample_files::kNpyObject); }, {"a.npy", "Python objects", "pickle", "astype"});
}

TEST(Npy, RefusesRecordsAndUnknownTypes) {
  expect_error([] { (void)parse(sample_files::kNpyRecords); }, {"records"});
  expect_error([] { (void)parse(make_npy("{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}")); },
               {"'c16'", "supported", "astype(float)"});
}

TEST(Npy, RefusesWrongMagicAndVersion) {
  expect_error([] { (void)parse("hello, this is text"); }, {"a.npy", "\\x93NUMPY"});
  std::string bytes = sample_files::kNpyFortran;
  bytes[6] = 9;
  expect_error([&] { (void)parse(bytes); }, {"version 9", "1, 2 and 3"});
}

TEST(Npy, RefusesTruncatedFilesWithTheNumbers) {
  const std::string bytes = sample_files::kNpyFortran.substr(0, sample_files::kNpyFortran.size() - 1);
  expect_error([&] { (void)parse(bytes); }, {"a.npy", "(2, 3)", "48 bytes", "47", "cut off"});
  expect_error([&] { (void)parse(bytes.substr(0, 40)); }, {"header", "cut off"});
  expect_error([&] { (void)parse(sample_files::kNpyFortran + "x"); }, {"49", "appended"});
}

TEST(Npy, RefusesAbsurdShapesBeforeAllocating) {
  expect_error([] { (void)parse(with_shape("(1000000000000, 1000)")); }, {"(1000000000000, 1000)", "cut off"});
  expect_error([] { (void)parse(with_shape("(4294967296, 4294967296)")); }, {"more than any file can hold"});
  expect_error([] { (void)parse(with_shape("(0, 9223372036854775807, 9)")); }, {"more than any file can hold"});
  expect_error([] { (void)parse(with_shape("(99999999999999999999, 1)")); }, {"2^64"});
}

TEST(Npy, RefusesAHeaderThatIsNoDictionary) {
  for (const char* text : {"", "{", "{}", "{'descr': '<f8'}", "{'descr' '<f8'}", "{'shape': (1,, 2)}", "{'x': 1}"})
    expect_error([&] { (void)parse(make_npy(text)); }, {"header cannot be understood"});
}

TEST(Npy, RefusesZeroSamplesAndZeroFeatures) {
  expect_error([] { (void)to_matrix(parse(with_shape("(0, 3)")), "a.npy"); }, {"(0, 3)", "no samples"});
  expect_error([] { (void)to_matrix(parse(with_shape("(3, 0)")), "a.npy"); }, {"(3, 0)", "no features"});
  expect_error([] { (void)to_matrix(parse(with_shape("()", "12345678")), "a.npy"); }, {"()", "2 dimensions"});
}

TEST(Npy, RefusesOneDimensionAsDatasetButTakesItAsColumn) {
  const double values[] = {1, 2};
  std::ostringstream out;
  write_npy(out, std::span<const double>(values));
  EXPECT_EQ(to_matrix(parse(out.str()), "a.npy"), matrix({{1}, {2}}));
  const io_test::Folder folder;
  expect_error([&] { (void)load_dataset(folder.write("a.npy", out.str())); }, {"(2,)", "2 dimensions"});
}

TEST(Npy, NamesRowAndColumnOfANan) {
  Matrix values = kExample;
  values(1, 2) = std::numeric_limits<double>::quiet_NaN();
  std::ostringstream out;
  write_npy(out, MatrixRef(values));
  expect_error([&] { (void)to_matrix(parse(out.str()), "a.npy"); }, {"row 1, column 2", "nan", "finite", "remove"});
}

TEST(Npy, WritesWhatItReads) {
  std::ostringstream out;
  write_npy(out, MatrixRef(kExample.leftCols(2)));
  EXPECT_EQ((out.str().size() - 2 * 2 * 8) % 64, 0U);
  EXPECT_EQ(to_matrix(parse(out.str()), "a.npy"), matrix({{1, 2.5}, {4, 5}}));
  std::ostringstream texts;
  write_npy(texts, make_labels({"b", "ä€", "b"}));
  EXPECT_EQ(to_label_texts(parse(texts.str()), "a.npy"), to_label_texts(parse(sample_files::kNpyUnicode), "a.npy"));
}

}  // namespace
}  // namespace foldout
