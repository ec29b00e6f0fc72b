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
