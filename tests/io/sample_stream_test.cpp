// SPDX-License-Identifier: Apache-2.0
#include "foldout/io/files.h"

#include <gtest/gtest.h>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/random.h"
#include "foldout/core/error.h"
#include "io/byte_reader.h"
#include "io/image.h"
#include "io/io_support.h"
#include "io/npy.h"
#include "io/npz.h"

namespace foldout {
namespace {

using io_test::expect_error;
using io_test::Folder;
using io_test::matrix;
using Texts = std::vector<std::string>;

// All blocks, one below the other, with their labels.
Dataset read(SampleStream& stream, Index rows) {
  Dataset all;
  Texts labels;
  Matrix block;
  while (stream.next(block, rows)) {
    EXPECT_LE(block.rows(), rows);
    EXPECT_TRUE(stream.labels().empty() || std::ssize(stream.labels()) == block.rows());
    all.samples.conservativeResize(all.samples.rows() + block.rows(), block.cols());
    all.samples.bottomRows(block.rows()) = block;
    labels.insert(labels.end(), stream.labels().begin(), stream.labels().end());
  }
  if (!labels.empty()) all.labels = make_labels(labels);
  return all;
}

std::string npy(std::string_view type, std::string_view order, std::string_view shape, std::string_view data) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, order, shape);
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(data);
}

std::string raw(const Matrix& values) {
  return {reinterpret_cast<const char*>(values.data()), static_cast<std::size_t>(values.size()) * sizeof(double)};
}

std::string idx(const Matrix& values, int height) {
  std::string bytes("\0\0\x0e\x03", 4);
  const auto append = [&](std::uint32_t n) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift);
  };
  append(static_cast<std::uint32_t>(values.rows()));
  append(static_cast<std::uint32_t>(height));
  append(static_cast<std::uint32_t>(values.cols() / height));
  for (Index i = 0; i < values.size(); ++i) {
    const std::string value(reinterpret_cast<const char*>(values.data() + i), sizeof(double));
    bytes.append(value.rbegin(), value.rend());
  }
  return bytes;
}

/// Every file of X that can be thought of.
Texts files_of(const Matrix& X, const Folder& folder) {
  Texts files;
  for (const char* name : {"x.npy", "x.csv", "x.tsv", "x.txt", "x.npz", "x.mat"}) {
    save_matrix(folder / name, X);
    files.push_back(folder / name);
  }
  const std::string shape = fmt::format("({}, {})", X.rows(), X.cols());
  const Matrix columns = X.transpose();
  const std::string fortran = npy("<f8", "True", shape, raw(columns));
  files.push_back(folder.write("fortran.npy", fortran));
  files.push_back(folder.write("plain.idx", idx(X, 1)));
  files.push_back(folder.write("packed.gz", io_test::gzipped(idx(X, 1))));
  const std::string rows = npy("<f8", "False", shape, raw(X));
  for (const Packing packing : {Packing::kStored, Packing::kDeflated})
    for (const std::string& array : {rows, fortran}) {
      std::ostringstream out;
      write_npz(out, {{"X", array}}, packing);
      files.push_back(folder.write(fmt::format("{}.npz", files.size()), out.str()));
    }
  return files;
}

TEST(Stream, GivesTheSamplesOfEveryFormatInBlocksAsOftenAsWanted) {
  const Folder folder;
  const Matrix X = Rng(1).normal_matrix(1003, 7);
  for (const std::string& file : files_of(X, folder)) {
    EXPECT_EQ(load_dataset(file).samples, X) << file;
    const auto stream = open_stream(file);
    EXPECT_EQ(stream->info().n_features, 7) << file;
    EXPECT_LT(stream->fraction(), 0.01) << file;
    for (const Index rows : {1, 100, 1003, 5000}) {
      EXPECT_EQ(read(*stream, rows).samples, X) << file << " " << rows;
      EXPECT_EQ(stream->fraction(), 1) << file;
      stream->restart();
    }
    EXPECT_TRUE(stream->labels().empty());
  }
}

// Wide enough for several slices of a block, and several groups of columns of a slice.
TEST(Stream, ReadsWideSamplesInSlices) {
  const Folder folder;
  const Matrix X = Rng(2).normal_matrix(50, 60000);  // 24 MB
  const std::string shape = "(50, 60000)";
  const std::string fortran = folder.write("fortran.npy", npy("<f8", "True", shape, raw(X.transpose())));
  save_matrix(folder / "rows.npy", X);
  save_matrix(folder / "packed.npz", X);
  for (const std::string& file : {fortran, folder / "rows.npy", folder / "packed.npz"})
    EXPECT_TRUE(read(*open_stream(file), 40).samples == X) << file;
}

TEST(Stream, GivesImagesInEitherOrder) {
  const Folder folder;
  const Matrix X = Rng(3).normal_matrix(20, 12);  // images of 3×4
  Matrix columns(12, 20);                         // the last index varies slowest
  for (Index i = 0; i < 20; ++i)
    for (Index h = 0; h < 3; ++h)
      for (Index w = 0; w < 4; ++w) columns(h + 3 * w, i) = X(i, 4 * h + w);
  const std::string shape = "(20, 3, 4)";
  for (const std::string& file :
       {folder.write("rows.npy", npy("<f8", "False", shape, raw(X))),
        folder.write("columns.npy", npy("<f8", "True", shape, raw(columns))), folder.write("x.idx", idx(X, 3)),
        folder.write("x.gz", io_test::gzipped(idx(X, 3)))}) {
    const auto stream = open_stream(file);
    EXPECT_EQ(stream->image().height, 3) << file;
    EXPECT_EQ(stream->image().width, 4) << file;
    EXPECT_EQ(read(*stream, 7).samples, X) << file;
    EXPECT_EQ(load_dataset(file).samples, X) << file;
  }
}

TEST(Stream, GivesTheLabelsAndColumnsOfACsv) {
  const Folder folder;
  const auto stream = open_stream(folder.write("x.csv", "a,b,label\n1,2,x\n3,4,y\n5,6,x\n"));
  EXPECT_EQ(stream->info().columns, (Texts{"a", "b"}));
  Matrix block;
  ASSERT_TRUE(stream->next(block, 2));
  EXPECT_EQ(stream->labels(), (Texts{"x", "y"}));
  ASSERT_TRUE(stream->next(block, 2));
  EXPECT_EQ(stream->labels(), (Texts{"x"}));
  EXPECT_EQ(block, matrix({{5, 6}}));
}

// A header whose one text stands above numbers is found by looking at the second row, in blocks as for everything.
TEST(Stream, RecognisesTheHeaderThatLoadingRecognises) {
  const Folder folder;
  const std::string file = folder.write("x.csv", "time,2010\n1,2.5\n3,4\n");
  EXPECT_EQ(read(*open_stream(file), 1).samples, load_dataset(file).samples);
  EXPECT_EQ(open_stream(file)->info().columns, (Texts{"time", "2010"}));
}

TEST(Stream, GivesTheLabelsThatLieBesideTheSamples) {
  const Folder folder;
  std::ostringstream out, samples, labels;
  write_npy(samples, MatrixRef(matrix({{1}, {2}, {3}})));
  write_npy(labels, make_labels({"b", "a", "b"}));
  write_npz(out, {{"X", samples.str()}, {"y", labels.str()}});
  const Dataset data = read(*open_stream(folder.write("x.npz", out.str())), 2);
  EXPECT_EQ(data.labels->texts(), (Texts{"b", "a", "b"}));
  out.str("");
  write_npz(out, {{"X", samples.str()}, {"y", samples.str()}, {"z", labels.str()}});
  EXPECT_FALSE(read(*open_stream(folder.write("x.npz", out.str()) + ":X"), 2).labels);
  labels.str("");
  write_npy(labels, make_labels({"b", "a"}));
  out.str("");
  write_npz(out, {{"X", samples.str()}, {"y", labels.str()}});
  expect_error([&] { (void)open_stream(folder.write("x.npz", out.str())); }, {"3 samples but 2 labels"});
}

TEST(Stream, DecodesTheImagesOfAFolderBlockByBlock) {
  const Folder folder;
  for (const char* name : {"anna/1.png", "anna/2.png", "bob/1.png"})
    folder.write(name, encode_png(matrix({{static_cast<double>(name[5] - '0'), 2}, {3, 4}})));
  const auto stream = open_stream(folder / "");
  EXPECT_EQ(stream->image().width, 2);
  const Dataset data = read(*stream, 2);
  EXPECT_EQ(data.samples, load_dataset(folder / "").samples);
  EXPECT_EQ(data.labels->texts(), (Texts{"anna", "anna", "bob"}));
  stream->restart();
  EXPECT_EQ(read(*stream, 1).samples, data.samples);
}

TEST(Stream, GivesSamplesThatAreInMemory) {
  const Dataset data{
      .samples = matrix({{1, 2}, {3, 4}, {5, 6}}), .labels = make_labels({"x", "y", "x"}), .image = {}, .columns = {}};
  const auto stream = stream_of(data, "given");
  EXPECT_EQ(stream->name(), "given");
  for (int pass = 0; pass < 2; ++pass, stream->restart()) {
    const Dataset all = read(*stream, 2);
    EXPECT_EQ(all.samples, data.samples);
    EXPECT_EQ(all.labels->texts(), data.labels->texts());
  }
  expect_error<InvalidArgument>([] { (void)stream_of({}, "nothing"); }, {"nothing"});
}

TEST(Stream, CountsTheRowOfABadValueFromTheFirstSample) {
  const Folder folder;
  Matrix X = Matrix::Ones(300, 2);
  X(270, 1) = std::nan("");
  std::ostringstream out, rows;
  write_npy(rows, MatrixRef(X));
  write_npz(out, {{"X", rows.str()}});
  for (const std::string& file : {folder.write("x.npy", rows.str()), folder.write("x.npz", out.str()),
                                  folder.write("fortran.npy", npy("<f8", "True", "(300, 2)", raw(X.transpose()))),
                                  folder.write("x.gz", io_test::gzipped(idx(X, 1)))})
    expect_error([&] { (void)read(*open_stream(file), 100); }, {file, "row 270, column 1"});
}

TEST(Stream, RefusesPackedSamplesThatEndEarlyOrLate) {
  const Folder folder;
  const std::string packed = io_test::gzipped(idx(Rng(4).normal_matrix(3000, 4), 1));
  expect_error([&] { (void)read(*open_stream(folder.write("x.gz", packed.substr(0, packed.size() / 2))), 100); },
               {"x.gz", "cut off"});
  expect_error(
      [&] { (void)read(*open_stream(folder.write("x.gz", io_test::gzipped(idx(Matrix::Ones(9, 1), 1) + "more"))), 4); },
      {"x.gz", "more than its header says"});
}

TEST(Stream, FindsADamagedMemberByItsChecksumAtTheEnd) {
  const Folder folder;
  save_matrix(folder / "x.npz", Matrix::Ones(1000, 3));
  std::string bytes = io_test::read_bytes(folder / "x.npz");
  bytes[5000] = static_cast<char>(bytes[5000] ^ 1);
  expect_error([&] { (void)read(*open_stream(folder.write("x.npz", bytes)), 100); }, {"x.npz:data", "CRC"});
}

TEST(Stream, NamesFilesThatAreMissingOrHaveNoSamples) {
  const Folder folder;
  expect_error([&] { (void)open_stream(folder / "none.npy"); }, {"none.npy", "does not exist"});
  expect_error([&] { (void)open_stream(folder / "none.csv"); }, {"none.csv", "does not exist"});
  expect_error([&] { (void)read(*open_stream(folder.write("x.csv", "1,2\n3,x\n")), 1); }, {"x.csv", "line 2"});
  expect_error([&] { (void)open_stream(folder.write("x.csv", "")); }, {"x.csv", "is empty"});
  expect_error([&] { (void)open_stream(folder.write("x.csv", "a,b\n")); }, {"x.csv", "has no samples"});
  expect_error([&] { (void)open_stream(folder.write("x.npy", npy("|u1", "False", "(4, 1, 1, 1)", "abcd"))); },
               {"x.npy", "(4, 1, 1, 1)"});
  expect_error([&] { (void)open_stream(folder.write("x.npy", npy("|u1", "False", "(4,)", "abcd"))); },
               {"x.npy", "(4,)", "2 dimensions"});
  for (const char* type : {"|S0", "|S1"})
    expect_error(
        [&] { (void)open_stream(folder.write("x.npy", npy(type, "False", "(2, 2)", type[2] == '1' ? "abcd" : ""))); },
        {"x.npy", "texts", "numbers"});
}

TEST(SampleStream, AFileThatIsCutOffWhileItIsReadIsAnError) {
  for (const std::string order : {"False", "True"}) {
    const Folder folder;
    const std::string path =
        folder.write("x.npy", npy("<f8", order, "(30000, 4)", raw(Rng(5).normal_matrix(30000, 4))));
    const auto stream = open_stream(path);
    Matrix block;
    ASSERT_TRUE(stream->next(block, 100));
    std::filesystem::resize_file(path, 5000);
    expect_error([&] { (void)stream->next(block, 20000); }, {"x.npy", "became shorter", "read it again"});
  }
}

}  // namespace
}  // namespace foldout
