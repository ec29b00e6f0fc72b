// SPDX-License-Identifier: Apache-2.0
// .mat files of version 7.3, which the tool reads in a separate process.
#include <gtest/gtest.h>

#include <fstream>

#include "apps/cli.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"
#include "io/mutate.h"
#include "io/sample_files.h"

namespace foldout::cli_test {
namespace {

class Mat73 : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    bytes_ = sample_files::unpacked(sample_files::kMat73Packed);
    write("a.mat", bytes_);
    std::ofstream(path("a.csv")) << "x,y,label\n1,4,b\n2,5,a\n3,6.5,b\n";
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string bytes_;
};

TEST_F(Mat73, IsReadByEveryVerb) {
  expect_done("fit a.mat -o one --method pca:n_components=1");
  expect_done("fit a.csv -o two --method pca:n_components=1");
  EXPECT_EQ(load_model(path("one")).coordinates, load_model(path("two")).coordinates);
  EXPECT_EQ(load_model(path("one")).labels->texts(), load_model(path("two")).labels->texts());
  expect_done("transform one a.mat:X -o a.out.csv");
  expect_done("transform one a.csv -o b.out.csv");
  EXPECT_EQ(slurp(path("a.out.csv")), slurp(path("b.out.csv")));
  expect_done("classify one a.mat -o l.txt --truth a.mat:y");
  EXPECT_EQ(slurp(path("l.txt")), "b\na\nb\n");
  EXPECT_NE(run("score rmse a.mat:X a.mat").out.find("\"value\":0.0"), std::string::npos);
  EXPECT_NE(run("score accuracy a.mat:y l.txt").out.find("\"value\":1.0"), std::string::npos);
  expect_done("extend a.mat a.mat:X -o three --extension linear");
  expect_done("cluster one a.mat -n 2 -o c.txt");
}

TEST_F(Mat73, NamesTheFileAndTheError) {
  expect_refused("fit a.mat:Z -o m --method pca", {"a.mat", "'Z'", "X (3, 2)"});
  expect_refused("score accuracy a.mat:X a.mat:y", {"a.mat:X", "(3, 2)"});
  write("cut.mat", bytes_.substr(0, bytes_.size() - 100));
  expect_refused("fit cut.mat -o m --method pca", {"cut.mat", "cut off"});
  std::string wiped = bytes_;
  wiped.replace(700, 1500, std::string(1500, '\xff'));
  write("wiped.mat", wiped);
  expect_refused("fit wiped.mat -o m --method pca", {"wiped.mat", "damaged"});
}

// A crash of the library would end the tool by a signal: status −1.
TEST_F(Mat73, NeverCrashesTheTool) {
  int refused = 0;
  for (std::uint64_t i = 0; i < 40; ++i) {
    Rng rng = Rng(7).stream(i);
    write("b.mat", mutate(bytes_, rng));
    const Result result = run("score rmse b.mat a.mat:X");
    EXPECT_TRUE(result.status == 0 || result.status == 2) << "mutation " << i << ": " << result.err;
    if (result.status == 2) {
      EXPECT_NE(result.err.find("b.mat"), std::string::npos) << result.err;
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace foldout::cli_test
