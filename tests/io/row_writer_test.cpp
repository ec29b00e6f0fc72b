// SPDX-License-Identifier: Apache-2.0
#include "foldout/io/row_writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "core/random.h"
#include "foldout/io/files.h"
#include "io/io_support.h"
#include "io/npy.h"

namespace foldout {
namespace {

using io_test::expect_error;
using io_test::Folder;
using io_test::read_bytes;

void write_in_blocks(const std::string& path, const Matrix& rows, Index at_a_time) {
  RowWriter writer(path, {"a", "b", "c"});
  for (Index i = 0; i < rows.rows(); i += at_a_time)
    writer.write(rows.middleRows(i, std::min(at_a_time, rows.rows() - i)));
  writer.commit();
}

TEST(RowWriter, WritesTheBytesThatSaveMatrixWrites) {
  const Folder folder;
  const Matrix rows = Rng(1).normal_matrix(1234, 3);
  for (const char* name : {"a.npy", "a.npz", "a.csv", "a.tsv", "a.txt", "a.mat"}) {
    save_matrix(folder / name, rows, {"a", "b", "c"});
    const std::string expected = read_bytes(folder / name);
    for (const Index at_a_time : {1, 100, 2000}) {
      write_in_blocks(folder / name, rows, at_a_time);
      EXPECT_TRUE(read_bytes(folder / name) == expected) << name << " " << at_a_time;
    }
  }
}

TEST(RowWriter, LeavesRoomInTheHeaderForAnyNumberOfRows) {
  std::size_t length = 0;
  for (const Index rows : {Index{0}, Index{9}, Index{123456789012}, std::numeric_limits<Index>::max()})
    for (const Index columns : {Index{1}, Index{100000}}) {
      std::ostringstream out;
      write_npy_header(out, rows, columns);
      if (length > 0) {
        EXPECT_EQ(out.str().size(), length) << rows << " " << columns;
      }
      length = out.str().size();
    }
}

TEST(RowWriter, PutsIdsFirstAndOtherTextsLast) {
  const Folder folder;
  const std::vector<std::string> ids = {"img,1", "7"}, labels = {"x", "y"};
  const Matrix rows = io_test::matrix({{1, 2}, {3, 4.5}});
  const auto write = [&](const char* name, const std::vector<std::string>& columns) {
    RowWriter writer(folder / name, columns);
    writer.write(rows.topRows(1), {.ids = std::span(ids).first(1), .last = {{"label", std::span(labels).first(1)}}});
    writer.write(rows.bottomRows(1), {.ids = std::span(ids).last(1), .last = {{"label", std::span(labels).last(1)}}});
    writer.commit();
    return read_bytes(folder / name);
  };
  EXPECT_EQ(write("a.csv", {"y1", "y2"}), "id,y1,y2,label\n\"img,1\",1,2,x\n7,3,4.5,y\n");
  EXPECT_EQ(write("a.txt", {"y1", "y2"}), "1,2\n3,4.5\n") << ".txt has numbers only";
  const Dataset back = load_dataset(folder / "a.csv");
  EXPECT_EQ(back.samples, rows);
  EXPECT_EQ(back.ids, ids);
  EXPECT_EQ(back.labels->texts(), labels);
  EXPECT_EQ(load_matrix(folder / "a.csv"), rows);
  EXPECT_EQ(load_labels(folder / "a.csv").texts(), labels);
}

TEST(SaveLabels, OfATableHaveAHeaderAndIds) {
  const Folder folder;
  const Labels labels = make_labels(std::vector<std::string>{"x", "y"});
  save_labels(folder / "a.csv", labels, {"1", "2"});
  EXPECT_EQ(read_bytes(folder / "a.csv"), "id,label\n1,x\n2,y\n");
  save_labels(folder / "b.tsv", labels);
  EXPECT_EQ(read_bytes(folder / "b.tsv"), "label\nx\ny\n");
  save_labels(folder / "c.txt", labels, {"1", "2"});
  EXPECT_EQ(read_bytes(folder / "c.txt"), "x\ny\n");
  for (const char* name : {"a.csv", "b.tsv", "c.txt"}) EXPECT_EQ(load_labels(folder / name).texts(), labels.texts());
}

TEST(RowWriter, LeavesNothingWithoutCommit) {
  const Folder folder;
  for (const char* name : {"a.npy", "a.csv", "a.mat"}) {
    RowWriter writer(folder / name);
    writer.write(Matrix::Ones(3, 3));
  }
  EXPECT_EQ(folder.n_files(), 0U);
  expect_error<InvalidArgument>([] { RowWriter writer("a.xls"); }, {"a.xls", ".npy"});
  expect_error([&] { RowWriter writer(folder / "no/a.npy"); }, {"no/a.npy", "directory does not exist"});
}

TEST(RowWriter, RefusesRowsOfAnotherWidth) {
  const Folder folder;
  for (const char* name : {"a.npy", "a.csv", "a.mat"}) {
    RowWriter writer(folder / name);
    writer.write(Matrix::Ones(3, 3));
    expect_error<InvalidArgument>([&] { writer.write(Matrix::Ones(3, 2)); }, {name, "2 values after rows of 3"});
  }
  EXPECT_EQ(folder.n_files(), 0U);
}

TEST(RowWriter, WritesNothingAfterCommit) {
  const Folder folder;
  for (const char* name : {"a.npy", "a.csv", "a.mat"}) {
    RowWriter writer(folder / name);
    writer.write(Matrix::Ones(3, 3));
    writer.commit();
    const std::string committed = read_bytes(folder / name);
    expect_error<InvalidArgument>([&] { writer.write(Matrix::Ones(3, 3)); }, {name, "before commit"});
    writer.commit();
    EXPECT_EQ(read_bytes(folder / name), committed);
  }
}

TEST(RowWriter, CountsTheRowsFirstWhereItCannotGoBack) {
  const Folder folder;
  const std::string pipe = folder / "pipe.npy";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Matrix rows = Rng(2).normal_matrix(300, 3);
  std::string received;
  std::thread reader([&] { received = read_bytes(pipe); });
  write_in_blocks(pipe, rows, 100);
  reader.join();
  EXPECT_EQ(load_matrix(folder.write("a.npy", received)), rows);
}

}  // namespace
}  // namespace foldout
