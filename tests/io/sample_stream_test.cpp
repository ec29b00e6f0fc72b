// SPDX-License-Identifier: Apache-2.0
#include "foldout/io/sample_stream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/random.h"
#include "foldout/core/error.h"
#include "foldout/io/files.h"

namespace foldout {
namespace {

class Stream : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("foldout_stream_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // All blocks, one below the other.
  static Matrix read(SampleStream& stream, Index rows) {
    Matrix all, block;
    while (stream.next(block, rows)) {
      EXPECT_LE(block.rows(), rows);
      all.conservativeResize(all.rows() + block.rows(), block.cols());
      all.bottomRows(block.rows()) = block;
    }
    return all;
  }

 private:
  std::filesystem::path folder_;
};

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const IoError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_F(Stream, GivesTheSamplesOfTheFileInBlocksAsOftenAsWanted) {
  const Matrix X = Rng(1).normal_matrix(1003, 7);
  for (const std::string name : {"x.npy", "x.csv", "x.tsv", "x.txt"}) {
    save_matrix(path(name), X);
    const auto stream = open_stream(path(name));
    for (const Index rows : {1, 100, 1003, 5000}) {
      EXPECT_EQ(read(*stream, rows), X) << name << " " << rows;
      stream->restart();
    }
    EXPECT_TRUE(stream->labels().empty());
  }
}

TEST_F(Stream, GivesTheLabelsOfACsv) {
  std::ofstream(path("x.csv")) << "a,b,label\n1,2,x\n3,4,y\n5,6,x\n";
  const auto stream = open_stream(path("x.csv"));
  Matrix block;
  ASSERT_TRUE(stream->next(block, 2));
  EXPECT_EQ(stream->labels(), (std::vector<std::string>{"x", "y"}));
  ASSERT_TRUE(stream->next(block, 2));
  EXPECT_EQ(stream->labels(), (std::vector<std::string>{"x"}));
  EXPECT_EQ(block, (Matrix(1, 2) << 5, 6).finished());
}

TEST_F(Stream, NamesWhatCannotBeReadInBlocks) {
  save_matrix(path("x.npz"), Matrix::Ones(3, 2));
  EXPECT_NE(error_of([&] { (void)open_stream(path("x.npz")); }).find("cannot be read in blocks"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)open_stream(path("none.npy")); }).find("does not exist"), std::string::npos);
  EXPECT_NE(error_of([&] { (void)open_stream(path("none.csv")); }).find("does not exist"), std::string::npos);
  std::ofstream out(path("bad.csv"));
  out << "1,2\n3,x\n";
  out.close();
  Matrix block;
  EXPECT_NE(error_of([&] {
              const auto stream = open_stream(path("bad.csv"));
              while (stream->next(block, 1)) {
              }
            }).find("bad.csv"),
            std::string::npos);
}

TEST_F(Stream, NamesFilesWithoutSamples) {
  for (const std::string text : {"", "a,b\n"}) {
    std::ofstream(path("x.csv")) << text;
    const auto stream = open_stream(path("x.csv"));
    Matrix block;
    EXPECT_NE(error_of([&] { (void)stream->next(block, 5); }).find("x.csv: has no samples"), std::string::npos) << text;
  }
  std::ofstream out(path("x.npy"), std::ios::binary);
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (4, 1, 1, 1), }";
  header.resize(117, ' ');
  out << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << "\nabcd";
  out.close();
  EXPECT_NE(error_of([&] { (void)open_stream(path("x.npy")); }).find("(4, 1, 1, 1)"), std::string::npos);
}

}  // namespace
}  // namespace foldout
