// SPDX-License-Identifier: Apache-2.0
// The guarantees of the command line: exit status, messages, no partial files, one JSON object.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "apps/cli.h"
#include "foldout/io/files.h"

namespace foldout::cli_test {
namespace {

TEST_F(Cli, GoesFromDataToPlacedSamples) {
  expect_done("data swiss_roll -n 400 -o roll.npy --truth truth.npy");
  expect_done("data swiss_roll -n 50 -o new.npy --seed 7");
  expect_done("fit roll.npy -o roll.model --method isomap:n_neighbors=8 --embedding map.npy");
  expect_done("transform roll.model new.npy -o placed.npy");
  expect_done("transform roll.model roll.npy -o again.npy");
  const Matrix map = foldout::load_matrix(path("map.npy")), again = foldout::load_matrix(path("again.npy"));
  EXPECT_EQ(foldout::load_matrix(path("placed.npy")).rows(), 50);
  EXPECT_LT((map - again).cwiseAbs().maxCoeff(), 1e-8 * map.cwiseAbs().maxCoeff());
  const Result score = run("score procrustes map.npy again.npy");
  EXPECT_EQ(score.status, 0);
  EXPECT_NE(score.out.find("{\"metric\":\"procrustes\",\"value\":"), std::string::npos);
}

TEST_F(Cli, WritesTheSameBytesForAnyNumberOfThreads) {
  expect_done("data s_curve -n 600 -o x.npy");
  for (const std::string method : {"lle", "laplacian_eigenmaps", "isomap", "ltsa", "diffusion_maps", "kpca"}) {
    expect_done("fit x.npy -o one.model --threads 1 --method " + method + " --extension lle");
    expect_done("fit x.npy -o two.model --threads 2 --method " + method + " --extension lle");
    EXPECT_EQ(slurp(path("one.model")), slurp(path("two.model"))) << method;
  }
}

TEST_F(Cli, StreamedRowsGiveTheSameResultAsAFile) {
  expect_done("data s_curve -n 300 -o x.csv");
  expect_done("fit x.csv -o m --method lle");
  expect_done("transform m x.csv -o file.csv");
  const Result piped = run("transform m - -o -", slurp(path("x.csv")));
  EXPECT_EQ(piped.status, 0) << piped.err;
  EXPECT_EQ(piped.out, slurp(path("file.csv")));
}

TEST_F(Cli, KeepsLabelsAndShowsThemInInfo) {
  expect_done("data faces:size=16,n_people=4 -n 80 -o f.npy --labels who.txt");
  expect_done("fit f.npy -o m --method pca --labels who.txt --preprocess unit_norm --preprocess center");
  const Result info = run("info m --json");
  EXPECT_EQ(info.status, 0);
  for (const char* word : {"\"n_classes\":4", "\"preprocess\":[\"unit_norm\",\"center\"]", "\"promise\":\"exact\""})
    EXPECT_NE(info.out.find(word), std::string::npos) << info.out;
  EXPECT_NE(run("info m").out.find("4 classes"), std::string::npos);
}

TEST_F(Cli, ReportsRepairsInJson) {
  std::ofstream file(path("blobs.csv"));
  for (int i = 0; i < 60; ++i) file << (i % 2) * 1000 + (i * 37 % 61) * 0.01 << "," << (i * 53 % 59) * 0.01 << "\n";
  file.close();
  const Result fit = run("fit blobs.csv -o m --method laplacian_eigenmaps:n_neighbors=12 --json");
  EXPECT_EQ(fit.status, 0) << fit.err;
  for (const char* word : {"\"components_joined\"", "\"seconds\":{", "\"solver\"", "\"residual\""})
    EXPECT_NE(fit.out.find(word), std::string::npos) << fit.out;
  EXPECT_EQ(fit.out.find('\n'), fit.out.size() - 1) << "one line";
  expect_refused("fit blobs.csv -o m2 --method lle:components=error,n_neighbors=12",
                 {"2 components", "30 and 30", "n_neighbors"});
  EXPECT_FALSE(fs::exists(path("m2")));
}

TEST_F(Cli, PrintsWholeNumbersAsSuchInJson) {
  expect_done("data gaussian -n 40 -o x.npy");
  const auto fit = nlohmann::json::parse(run("fit x.npy -o m --method laplacian_eigenmaps --json").out);
  for (const char* name : {"bytes", "n_samples", "n_components"}) EXPECT_TRUE(fit.at(name).is_number_integer()) << name;
  EXPECT_TRUE(fit.at("figures").at("edges").is_number_integer()) << fit.dump();
  EXPECT_TRUE(fit.at("figures").at("residual").is_number_float()) << fit.dump();
  EXPECT_TRUE(fit.at("total_seconds").is_number_float());
}

TEST_F(Cli, PrintsErrorsAsJson) {
  const Result wrong = run("fit none.npy -o m --method pca --json");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.err, "foldout: none.npy: does not exist: check the path\n");
  EXPECT_EQ(nlohmann::json::parse(wrong.out),
            nlohmann::json::parse(R"({"error": {"kind": "io", "message": "none.npy: does not exist: check the path",
                                               "remedy": "check the path"}})"));
  const auto unknown = nlohmann::json::parse(run("fit x.npy --json --methd lle").out).at("error");
  EXPECT_EQ(unknown.at("kind"), "invalid_argument");
  EXPECT_EQ(unknown.at("remedy"), "did you mean --method? (see: foldout help fit)");
  EXPECT_EQ(run("fit none.npy -o m --method pca").out, "") << "only with --json";
}

TEST_F(Cli, SuggestsTheNearestName) {
  expect_done("data gaussian -n 40 -o x.npy");
  expect_refused("fit x.npy -o m --method laplacian_eigenmap", {"did you mean 'laplacian_eigenmaps'?", "allowed:"});
  expect_refused("fit x.npy -o m --method lle:n_neighbours=4", {"lle has no key 'n_neighbours'", "'n_neighbors'"});
  expect_refused("fit x.npy -o m --method lle:n_neighbors=0", {"n_neighbors = 0 must be ≥ 1"});
  expect_refused("fit x.npy -o m --method lle:n_neighbors=ten", {"n_neighbors = 'ten' must be a whole number"});
  expect_refused("fit x.npy -o m --method lle --extension gedesic", {"did you mean 'geodesic'?"});
  expect_refused("fit x.npy -o m --method lle --preprocess centre", {"did you mean 'center'?"});
  expect_refused("transfrom m x.npy -o y.npy", {"no verb 'transfrom'", "did you mean 'transform'?"});
  expect_refused("score trust x.npy x.npy", {"trustworthiness"});
  expect_refused("data swis_roll -n 5 -o y.npy", {"did you mean 'swiss_roll'?"});
  expect_refused("methods ltas", {"did you mean 'ltsa'?"});
}

TEST_F(Cli, UnderstandsNamesInAnyCaseAndThoseOfScikitLearn) {
  expect_done("data Swiss-Roll -n 60 -o x.npy");
  expect_done("fit x.npy -o m --method SpectralEmbedding:graph=Mutual --preprocess StandardScaler --extension RBF");
  const Result info = run("info m --json");
  for (const char* word : {"\"laplacian_eigenmaps:", "graph=mutual", "\"standardize\"", "\"rbf:"})
    EXPECT_NE(info.out.find(word), std::string::npos) << info.out;
  EXPECT_EQ(run("methods SpectralEmbedding").out, run("methods laplacian_eigenmaps").out);
  EXPECT_NE(run("methods").out.find("SpectralEmbedding = laplacian_eigenmaps"), std::string::npos);
  expect_refused("fit x.npy -o m2 --method lle --dictionary lcdl,batch_size=9", {"write lcdl:batch_size=9"});
}

TEST_F(Cli, NamesErrorsInTheInput) {
  expect_done("data gaussian -n 40 -o x.npy");
  expect_refused("fit none.npy -o m --method lle", {"none.npy"});
  std::ofstream(path("empty.csv"));
  expect_refused("fit empty.csv -o m --method lle", {"empty.csv"});
  std::ofstream(path("nan.csv")) << "1,2\n3,nan\n";
  expect_refused("fit nan.csv -o m --method pca", {"nan.csv", "2"});
  std::ofstream(path("three.txt")) << "a\nb\nc\n";
  expect_refused("fit x.npy -o m --method pca --labels three.txt", {"three.txt has 3 labels", "40 samples"});
  expect_refused("fit x.npy -o m --method lle:n_neighbors=40", {"n_neighbors = 40", "n_samples = 40"});
  expect_refused("fit x.npy -o m --method pca:n_components=4", {"n_components = 4", "at most 3"});
  std::ofstream(path("one.csv")) << "1,2\n";
  expect_refused("fit one.csv -o m --method lle", {"n_samples = 1"});
  expect_refused("fit x.npy -o m --method isomap --embedding map.xyz", {"map.xyz"});
  expect_refused("fit x.npy -o nowhere/m --method pca", {"nowhere"});
  expect_refused("info x.npy", {"x.npy", "not a foldout model"});
  expect_done("fit x.npy -o m --method pca");
  expect_done("data faces:size=8 -n 3 -o wide.npy");
  expect_refused("transform m wide.npy -o y.npy", {"64 features", "fitted on 3"});
  EXPECT_FALSE(fs::exists(path("y.npy")));
  expect_refused("transform m x.npy -o y.npy --codes c.npz", {"pca", "extension sparse"});
  expect_refused("extend x.npy x.npy -o m5 --extension nystrom", {"external coordinates", "sparse"});
  expect_refused("extend x.npy wide.npy -o m5 --extension lle", {"3 rows", "40 samples"});
  expect_refused("classify m x.npy -o l.txt", {"no labels", "--labels"});
  expect_refused("classify m x.npy -o l.txt --classifier spare", {"spare", "sparse"});
  expect_refused("compare x.npy --method pca --extension lvn", {"lvn", "lvm"});
  expect_refused("fit x.npy -o m6 --method pca --extension sparse:correction=true", {"laplacian_eigenmaps"});
  expect_refused("fit x.npy -o m3 --method laplacian_eigenmaps --extension geodesic", {"isomap"});
  expect_refused("score procrustes x.npy", {"takes 2 files"});
  expect_refused("score rmse x.npy wide.npy", {"40", "3"});
  expect_refused("transform m x.npy -o - --json", {"standard output"});
  expect_refused("fit x.npy -o m4", {"--method"});
}

TEST_F(Cli, HelpAndVersionSucceed) {
  EXPECT_EQ(run("--version").out.substr(0, 8), "foldout ");
  EXPECT_EQ(run("-V").out, run("--version").out);
  EXPECT_EQ(run("help").out, run("--help").out);
  EXPECT_EQ(run("help fit").out, run("fit --help").out);
  EXPECT_NE(run("").out.find("Example:"), std::string::npos);
  for (const char* verb : {"fit", "transform", "score", "data", "methods", "info"}) {
    const Result help = run(std::string(verb) + " --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("--json"), std::string::npos) << verb;
  }
  const Result listing = run("methods --json");
  for (const char* name : {"\"laplacian_eigenmaps\"", "\"kernel_whitening\"", "\"geodesic\"", "\"toroidal_helix\""})
    EXPECT_NE(listing.out.find(name), std::string::npos) << name;
  EXPECT_NE(run("methods lle").out.find("n_neighbors=10"), std::string::npos);
}

TEST_F(Cli, LeavesNoFilesWhenInterrupted) {
  expect_done("data swiss_roll -n 12000 -o big.npy");
  const std::size_t before = count_files();
  const std::string model = path("m").string(), data = path("big.npy").string();
  const pid_t child = fork();
  if (child == 0) {
    execl(FOLDOUT_TOOL, "foldout", "fit", data.c_str(), "-o", model.c_str(), "--method", "isomap", "-q", nullptr);
    _exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(count_files(), before);
}

}  // namespace
}  // namespace foldout::cli_test
