// SPDX-License-Identifier: Apache-2.0
#include "io/npz.h"

#include <gtest/gtest.h>

#include <sstream>

#include "io/io_support.h"
#include "io/npy.h"
#include "io/sample_files.h"

namespace foldout {
namespace {

using io_test::as_span;
using io_test::expect_error;
using io_test::matrix;

Matrix read(const std::string& bytes, const std::string& key) {
  const NpzReader npz(as_span(bytes), "a.npz");
  return to_matrix(npz.read(key), "a.npz");
}

std::string packed(const Matrix& values, Packing packing) {
  std::ostringstream npy;
  write_npy(npy, MatrixRef(values));
  std::ostringstream out;
  write_npz(out, {{"data", npy.str()}, {"again", npy.str()}}, packing);
  return out.str();
}

TEST(Npz, ReadsDeflatedMembers) {
  const std::vector<std::string> keys = {"X", "y"};
  EXPECT_EQ(NpzReader(as_span(sample_files::kNpzCompressed), "a.npz").keys(), keys);
  EXPECT_EQ(read(sample_files::kNpzCompressed, "X"), matrix({{1, 2.5, 3}, {4, 5, -6}}));
  EXPECT_EQ(read(sample_files::kNpzCompressed, "y"), matrix({{7}, {-3}}));
}

TEST(Npz, ReadsZip64Fields) { EXPECT_EQ(read(sample_files::kNpzZip64, "a"), matrix({{1, 2, 3}, {4, 5, 250}})); }

TEST(Npz, WritesWhatItReads) {
  const Matrix values = Matrix::Random(50, 7);
  for (const Packing packing : {Packing::kStored, Packing::kDeflated}) {
    EXPECT_EQ(read(packed(values, packing), "data"), values);
    EXPECT_EQ(read(packed(values, packing), "again"), values);
  }
  EXPECT_LT(packed(Matrix::Zero(1000, 10), Packing::kDeflated).size(), 2000U);
}

TEST(Npz, ListsTheKeysWhenOneIsMissing) {
  expect_error([] { (void)read(sample_files::kNpzCompressed, "Z"); }, {"a.npz", "no array 'Z'", "X, y"});
}

TEST(Npz, WritesTheSameBytesForTheSameArrays) {
  const Matrix values = Matrix::Random(50, 7);
  for (const Packing packing : {Packing::kStored, Packing::kDeflated})
    EXPECT_EQ(packed(values, packing), packed(values, packing));
}

TEST(Npz, ReadsAFileMemberByMember) {
  const io_test::Folder folder;
  const Matrix values = Matrix::Random(50, 7);
  for (const Packing packing : {Packing::kStored, Packing::kDeflated}) {
    const std::string path = folder.write("a.npz", packed(values, packing));
    PackedArray array = NpzReader(open_file(path), path).open("again");
    EXPECT_EQ(array.array.shape, (std::vector<std::uint64_t>{50, 7}));
    Matrix half(25, 7);
    for (const Index begin : {0, 25}) {
      array.source->fill(std::as_writable_bytes(std::span(half.data(), 25 * 7)));
      EXPECT_EQ(half, values.middleRows(begin, 25));
    }
    array.source->finish();
  }
}

TEST(Npz, RefusesWhatIsNoArchive) {
  expect_error([] { (void)read("PK but nothing more, for a while", "X"); }, {"a.npz", "not an .npz file"});
  const std::string& bytes = sample_files::kNpzCompressed;
  expect_error([&] { (void)read(bytes.substr(0, bytes.size() - 1), "X"); }, {"cut off"});
}

TEST(Npz, FindsADamagedByteByItsChecksum) {
  std::string bytes = packed(Matrix::Ones(4, 4), Packing::kStored);
  bytes[200] = static_cast<char>(bytes[200] ^ 1);
  expect_error([&] { (void)read(bytes, "data"); }, {"a.npz:data", "CRC", "damaged"});
}

// The fields of the first entry in the directory of `packed`, as offsets from its signature.
std::string with_directory_field(std::string bytes, std::size_t offset, std::string_view value) {
  const std::size_t entry = bytes.find("PK\x01\x02");
  return bytes.replace(entry + offset, value.size(), value);
}

TEST(Npz, RefusesToUnpackMoreThanDeclared) {
  const std::string bytes = packed(Matrix::Zero(100, 100), Packing::kDeflated);
  const std::string smaller = with_directory_field(bytes, 24, std::string_view("\x10\x00\x00\x00", 4));
  expect_error([&] { (void)read(smaller, "data"); }, {"a.npz:data"});
  const std::string larger = with_directory_field(bytes, 24, std::string_view("\x00\x00\x00\x40", 4));
  expect_error([&] { (void)read(larger, "data"); }, {"1073741824", "more than packing can do"});
}

TEST(Npz, RefusesForeignMethodsAndPasswords) {
  const std::string bytes = packed(Matrix::Zero(2, 2), Packing::kStored);
  expect_error([&] { (void)read(with_directory_field(bytes, 10, "\x0c"), "data"); }, {"method 12", "numpy.savez"});
  expect_error([&] { (void)read(with_directory_field(bytes, 8, "\x01"), "data"); }, {"encrypted"});
}

TEST(Npz, RefusesPlacesOutsideTheFile) {
  const std::string bytes = packed(Matrix::Zero(2, 2), Packing::kStored);
  const std::string_view far("\xff\xff\xff\x7f", 4);
  expect_error([&] { (void)read(with_directory_field(bytes, 42, far), "data"); }, {"a.npz", "cut off"});
  expect_error([&] { (void)read(with_directory_field(bytes, 20, far), "data"); }, {"2147483647", "cut off"});
}

}  // namespace
}  // namespace foldout
