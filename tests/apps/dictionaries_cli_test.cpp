// SPDX-License-Identifier: Apache-2.0
// fit --dictionary, in memory and from batches, and cluster.
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "apps/cli.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"

namespace foldout::cli_test {
namespace {

class Dictionaries : public Cli {
 protected:
  [[nodiscard]] Matrix matrix(const std::string& name) const { return load_matrix(path(name)); }
  [[nodiscard]] nlohmann::json reported(const std::string& arguments) {
    const Result result = run(arguments + " --json");
    EXPECT_EQ(result.status, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
};

TEST_F(Dictionaries, FitPlacesTrainingSamplesByTheAtoms) {
  expect_done("data swiss_roll -n 1500 -o x.npy");
  const auto fit = reported(
      "fit x.npy -o m --dictionary lcdl:n_atoms=150 --method hessian_lle:n_neighbors=8 --embedding y.npy --seed 3");
  EXPECT_EQ(fit.at("placed_by"), "codes");
  EXPECT_EQ(fit.at("n_samples"), 1500);
  EXPECT_NE(fit.at("dictionary").get<std::string>().find("lcdl:n_atoms=150"), std::string::npos);
  EXPECT_NE(fit.at("dictionary").get<std::string>().find("seed=3"), std::string::npos);
  EXPECT_GT(fit.at("figures").at("objective_001").get<double>(), 0);
  expect_done("transform m x.npy -o again.npy --codes c.npz --confidence conf.csv");
  EXPECT_EQ(slurp(path("y.npy")), slurp(path("again.npy")));
  EXPECT_EQ(matrix("y.npy").rows(), 1500);
  const auto info = reported("info m");
  EXPECT_EQ(info.at("n_atoms"), fit.at("figures").at("n_atoms"));
  EXPECT_EQ(info.at("bytes"), fit.at("bytes"));
  EXPECT_NE(run("info m").out.find("atoms by lcdl"), std::string::npos);
}

TEST_F(Dictionaries, AModelIsTheSameForAnyNumberOfThreadsAndFromItsOwnSpec) {
  expect_done("data swiss_roll -n 600 -o x.npy");
  const auto one = reported("fit x.npy -o one --dictionary lcdl:n_atoms=80 --method lle --threads 1");
  expect_done("fit x.npy -o two --dictionary lcdl:n_atoms=80 --method lle --threads 2");
  EXPECT_EQ(slurp(path("one")), slurp(path("two")));
  expect_done("fit x.npy -o three --method " + one.at("method").get<std::string>() + " --dictionary " +
              one.at("dictionary").get<std::string>());
  EXPECT_EQ(slurp(path("one")), slurp(path("three")));
}

TEST_F(Dictionaries, LearnsInBatchesFromAFileOrAPipe) {
  expect_done("data swiss_roll -n 3000 -o x.csv");
  const std::string spec = " --dictionary lcdl:n_atoms=100,batch_size=200,max_iterations=1 --method lle:n_neighbors=8";
  const nlohmann::json file = reported("fit x.csv -o file --embedding y.csv" + spec);
  EXPECT_EQ(file.at("n_samples"), 3000);
  EXPECT_EQ(matrix("y.csv").rows(), 3000);
  expect_done("transform file x.csv -o again.csv");
  EXPECT_EQ(matrix("y.csv"), matrix("again.csv"));
  expect_done("fit - -o pipe" + spec, slurp(path("x.csv")));
  EXPECT_EQ(reported("info pipe").at("n_samples"), 3000);
  const Result twice =
      run("fit - -o m --dictionary lcdl:n_atoms=100,batch_size=200 --method lle", slurp(path("x.csv")));
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.err.find("can be read only once"), std::string::npos);
  expect_done("fit x.csv -o m --embedding y.npy" + spec);
  EXPECT_EQ(matrix("y.npy"), matrix("y.csv"));
  const Result again = run("fit - -o m --embedding y.npy" + spec, slurp(path("x.csv")));
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("standard input can be read only once"), std::string::npos) << again.err;
  expect_done("data swiss_roll -n 3000 -o x.npz");
  expect_done("fit x.npz -o packed" + spec);
  EXPECT_EQ(load_model(path("packed")).coordinates, load_model(path("file")).coordinates);
}

TEST_F(Dictionaries, MemoryDoesNotGrowWithTheNumberOfStreamedRows) {
  if (!kMemoryIsMeasurable) GTEST_SKIP() << "built with a sanitizer";
  expect_done("data swiss_roll -n 20000 -o few.npy");
  expect_done("data swiss_roll -n 1000000 -o many.npy");  // 24 MB of numbers
  const auto peak = [&](const std::string& file) {
    return peak_memory({"fit", file, "-o", "m", "-q", "--method", "lle", "--dictionary",
                        "lcdl:n_atoms=100,batch_size=1000,max_iterations=1"});
  };
  const double few = peak("few.npy"), many = peak("many.npy");
  EXPECT_LT(many, few + 8e6) << "bytes, against " << few;
}

TEST_F(Dictionaries, ClusterFindsClassesInAnEmbedding) {
  expect_done("data faces:n_people=5 -n 150 -o x.npy --labels who.txt");
  expect_done("fit x.npy -o m --labels who.txt --preset faces");
  for (const std::string flags : {"", " --spherical"}) {
    const auto found = reported("cluster m x.npy -n 5 -o c.txt --truth who.txt" + flags);
    EXPECT_LE(found.at("clustering_error").get<double>(), 0.02);
    EXPECT_EQ(found.at("sizes").size(), 5u);
    EXPECT_EQ(load_labels(path("c.txt")).size(), 150);
  }
  expect_done("cluster m x.npy -n 5 -o d.txt --threads 2");
  expect_done("cluster m x.npy -n 5 -o e.txt --threads 1");
  EXPECT_EQ(slurp(path("d.txt")), slurp(path("e.txt")));
  expect_refused("cluster m x.npy -n 151 -o c.txt", {"n_clusters = 151 must be at most the number of samples"});
  expect_refused("cluster m x.npy -n 0 -o c.txt", {"n_clusters = 0"});
  expect_refused("cluster m x.npy -n 3 -o c.jpg", {".jpg"});
  expect_done("data faces:n_people=5 -n 10 -o few.npy --labels few.txt");
  expect_refused("cluster m x.npy -n 3 -o c.txt --truth few.txt", {"one label per sample"});
}

}  // namespace
}  // namespace foldout::cli_test
