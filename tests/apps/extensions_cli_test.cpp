// SPDX-License-Identifier: Apache-2.0
// The verbs that place and label new samples: extend, transform with confidence and codes, compare, classify.
#include <gtest/gtest.h>
#include <sys/ioctl.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/cli.h"
#include "core/random.h"
#include "foldout/core/dataset.h"
#include "foldout/io/files.h"

namespace foldout::cli_test {
namespace {

// Samples x.npy and new.npy of 6 features, coordinates y.npy and y.csv that "another program" computed, labels.
class Extensions : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    const Matrix X = Rng(1).uniform_matrix(60, 6).array() + 0.1, fresh = Rng(2).uniform_matrix(37, 6).array() + 0.1;
    save_matrix(path("x.npy"), X);
    save_matrix(path("new.npy"), fresh);
    save_matrix(path("x.csv"), X);
    save_matrix(path("new.csv"), fresh);
    const Matrix Y = (X * Rng(3).normal_matrix(6, 2)).array().sin();
    save_matrix(path("y.npy"), Y);
    save_matrix(path("y.csv"), Y);
    std::ofstream who(path("who.txt")), truth(path("truth.txt"));
    for (Index i = 0; i < 60; ++i) who << (X(i, 0) > 0.6 ? "bright" : "dark") << "\n";
    for (Index i = 0; i < 37; ++i) truth << (fresh(i, 0) > 0.6 ? "bright" : "dark") << "\n";
  }
  [[nodiscard]] Matrix matrix(const std::string& name) const { return load_matrix(path(name)); }
};

TEST_F(Extensions, ExtendReadsCoordinatesInAnyFormat) {
  expect_done("extend x.npy y.npy -o npy.model --extension sparse");
  expect_done("extend x.csv y.csv -o csv.model --extension sparse");
  EXPECT_EQ(slurp(path("npy.model")), slurp(path("csv.model")));
  expect_done("transform npy.model x.npy -o again.npy");
  EXPECT_LT((matrix("again.npy") - matrix("y.npy")).cwiseAbs().maxCoeff(), 1e-12) << "exact, as it promises";
  const auto reported = nlohmann::json::parse(run("extend x.npy y.npy -o m --extension lvm --json").out);
  EXPECT_EQ(reported.at("verb"), "extend");
  EXPECT_EQ(reported.at("method"), "");
  EXPECT_EQ(reported.at("placed_by"), "lvm");
  EXPECT_EQ(reported.at("extension"), "lvm:n_neighbors=3,width=auto,metric=euclidean,search=auto,seed=0");
}

TEST_F(Extensions, AModelIsTheSameForAnyNumberOfThreadsAndFromItsOwnSpec) {
  for (const std::string extension : {"sparse", "sparse:errors=dct", "lvm", "linear", "linear:ridge=auto", "rbf",
                                      "rbf:n_centers=20", "elm:n_nodes=31", "lle", "kernel_extrapolation", "auto"}) {
    const Result one = run("extend x.npy y.npy -o one --json --threads 1 --extension " + extension);
    ASSERT_EQ(one.status, 0) << one.err;
    expect_done("extend x.npy y.npy -o two --threads 2 --extension " + extension);
    EXPECT_EQ(slurp(path("one")), slurp(path("two"))) << extension;
    const std::string spec = nlohmann::json::parse(one.out).at("extension");
    expect_done("extend x.npy y.npy -o three --extension " + spec);
    EXPECT_EQ(slurp(path("one")), slurp(path("three"))) << spec;
    expect_done("transform one new.npy -o a.npy --confidence ca.npy --threads 1");
    expect_done("transform two new.npy -o b.npy --confidence cb.npy --threads 2");
    EXPECT_EQ(slurp(path("a.npy")), slurp(path("b.npy"))) << extension;
    EXPECT_EQ(slurp(path("ca.npy")), slurp(path("cb.npy"))) << extension;
  }
}

TEST_F(Extensions, ExtendRefusesWhatNeedsAFit) {
  for (const std::string extension : {"nystrom", "geodesic"})
    expect_refused("extend x.npy y.npy -o m --extension " + extension, {"external coordinates", "sparse"});
  expect_refused("extend x.npy new.npy -o m --extension lvm", {"37 rows of coordinates", "60 samples"});
  expect_refused("extend x.npy y.npy -o m --extension lvm:n_neighbors=61", {"61", "60"});
  expect_refused("extend x.npy y.npy -o m", {"--extension"});
  expect_refused("extend x.npy y.npy -o m --extension sparse:correction=true", {"correction"});
  EXPECT_FALSE(fs::exists(path("m")));
}

TEST_F(Extensions, ErrorBasesFromBadFilesAreRefused) {
  save_matrix(path("short.npy"), Matrix::Identity(5, 5));
  std::ofstream(path("broken.npy")) << "not an array";
  std::ofstream(path("words.csv")) << "a,b\nc,d\n";
  expect_refused("extend x.npy y.npy -o m --extension sparse:errors=short.npy", {"5 rows", "6 features"});
  for (const std::string file : {"broken.npy", "words.csv", "missing.npy", "idenity"})
    expect_refused("extend x.npy y.npy -o m --extension sparse:errors=" + file, {file});
  EXPECT_FALSE(fs::exists(path("m")));
  save_matrix(path("basis.npy"), Rng(4).normal_matrix(6, 9));
  expect_done("extend x.npy y.npy -o m --extension sparse:errors=basis.npy");
  expect_done("transform m new.npy -o before.npy");
  fs::remove(path("basis.npy"));  // the model contains the basis
  expect_done("transform m new.npy -o after.npy");
  EXPECT_EQ(slurp(path("before.npy")), slurp(path("after.npy")));
}

TEST_F(Extensions, ConfidenceIsTwoColumns) {
  expect_done("extend x.npy y.npy -o m --extension lvm");
  expect_done("transform m new.npy -o p.npy --confidence c.npy");
  expect_done("transform m new.npy -o p.npy --confidence c.csv");
  const Matrix both = matrix("c.npy");
  ASSERT_EQ(both.cols(), 2);
  EXPECT_EQ(both.rows(), 37);
  EXPECT_TRUE((both.col(0).array() >= 0).all() && (both.col(0).array() <= 1).all());
  EXPECT_TRUE((both.col(1).array() >= 0).all());
  EXPECT_EQ(matrix("c.csv"), both);
  EXPECT_TRUE(slurp(path("c.csv")).starts_with("confidence,residual\n"));
}

TEST_F(Extensions, CodesTimesCoordinatesGiveThePlacedSamples) {
  for (const std::string extension : {"sparse", "lvm:n_neighbors=4", "lle:n_neighbors=5"}) {
    expect_done("extend x.npy y.npy -o m --extension " + extension);
    expect_done("transform m new.npy -o p.npy --codes codes.npz");
    const Matrix data = matrix("codes.npz:data"), columns = matrix("codes.npz:indices"),
                 rows = matrix("codes.npz:indptr"), shape = matrix("codes.npz:shape");
    EXPECT_EQ(shape(0, 0), 37);
    EXPECT_EQ(shape(1, 0), 60);
    ASSERT_EQ(rows.rows(), 38);
    const Matrix Y = matrix("y.npy");
    Matrix placed = Matrix::Zero(37, 2);
    for (Index i = 0; i < 37; ++i) {
      double sum = 0;
      for (auto e = static_cast<Index>(rows(i, 0)); e < static_cast<Index>(rows(i + 1, 0)); ++e) {
        placed.row(i) += data(e, 0) * Y.row(static_cast<Index>(columns(e, 0)));
        sum += data(e, 0);
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
    EXPECT_LT((placed - matrix("p.npy")).cwiseAbs().maxCoeff(), 1e-12) << extension;
  }
  fs::remove(path("p.npy"));
  expect_done("extend x.npy y.npy -o m --extension linear");
  expect_refused("transform m new.npy -o p.npy --codes c.npz", {"linear", "sparse"});
  expect_refused("transform m new.npy -o p.npy --codes c.csv", {".npz"});
  expect_refused("transform m new.npy -o p.csv --confidence p.csv", {"p.csv", "one file"});
  expect_refused("transform m new.npy -o p.npy --confidence c.xyz", {"c.xyz"});
  for (const std::string name : {"p.npy", "p.csv", "c.npz", "c.csv", "c.xyz"}) EXPECT_FALSE(fs::exists(path(name)));
}

TEST_F(Extensions, ComparePrintsATableOrJson) {
  const std::string request =
      "compare x.npy --method laplacian_eigenmaps --labels who.txt --repeats 2 --train 0.6 "
      "--extension lvm --extension geodesic --extension linear";
  const Result text = run(request);
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* word : {"placement error", "1-NN accuracy", "lvm", "linear", "geodesic", "isomap", "2 splits"})
    EXPECT_NE(text.out.find(word), std::string::npos) << text.out;
  const auto reported = nlohmann::json::parse(run(request + " --json").out);
  EXPECT_EQ(reported.at("verb"), "compare");
  EXPECT_EQ(reported.at("n_train").get<int>() + reported.at("n_new").get<int>(), 60);
  const auto& rows = reported.at("rows");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_GT(rows[0].at("placement").at("mean"), 0);
  EXPECT_LE(rows[0].at("accuracy").at("mean"), 1);
  EXPECT_FALSE(rows[1].contains("placement"));
  EXPECT_NE(rows[1].at("refused").get<std::string>().find("isomap"), std::string::npos);
  EXPECT_GT(rows[2].at("milliseconds_per_sample"), 0);
  const Result atoms = run("compare x.npy --method pca --repeats 2 --extension codes --dictionary kmeans:n_atoms=20");
  EXPECT_EQ(atoms.status, 0) << atoms.err;
  EXPECT_NE(atoms.out.find("pca of kmeans:n_atoms=20 of x.npy"), std::string::npos) << atoms.out;
  expect_refused("compare x.npy --method mds --extension lvm --train 1", {"train"});
  expect_refused("compare x.npy --method mds --extension lvm --repeats 0", {"repeats"});
  expect_refused("compare x.npy --method mds --extension lvmm", {"lvm"});
}

TEST_F(Extensions, ClassifyReportsTheAccuracy) {
  expect_done("fit x.npy -o m --method pca:n_components=4 --labels who.txt");
  for (const std::string classifier : {"nn", "nn:n_neighbors=5", "affinity", "sparse"}) {
    const Result result = run("classify m new.npy -o who_new.txt --truth truth.txt --json --classifier " + classifier);
    ASSERT_EQ(result.status, 0) << result.err;
    const Labels ours = load_labels(path("who_new.txt")), truth = load_labels(path("truth.txt"));
    ASSERT_EQ(ours.size(), 37);
    double right = 0;
    for (Index i = 0; i < 37; ++i) right += ours.text(i) == truth.text(i) ? 1.0 / 37 : 0;
    EXPECT_NEAR(nlohmann::json::parse(result.out).at("accuracy").get<double>(), right, 1e-12) << classifier;
  }
  fs::remove(path("who_new.txt"));
  expect_refused("classify m new.npy -o w.txt --truth who.txt", {"60 labels", "37 samples"});
  expect_refused("classify m new.npy -o w.txt --classifier spars", {"sparse"});
  expect_done("fit x.npy -o unlabelled --method pca");
  expect_refused("classify unlabelled new.npy -o w.txt", {"--labels"});
  EXPECT_FALSE(fs::exists(path("w.txt")));
}

TEST_F(Extensions, StreamedRowsAndTheirConfidenceEqualThoseOfTheFile) {
  for (const std::string extension : {"sparse", "elm:n_nodes=31"}) {
    expect_done("extend x.npy y.npy -o m --extension " + extension);
    expect_done("transform m new.csv -o file.csv --confidence file_c.csv");
    const Result piped = run("transform m - -o - --confidence c.csv", slurp(path("new.csv")));
    EXPECT_EQ(piped.status, 0) << piped.err;
    EXPECT_EQ(piped.out, slurp(path("file.csv")));
    EXPECT_EQ(slurp(path("c.csv")), slurp(path("file_c.csv")));
  }
  fs::remove(path("c.csv"));
  const Result bad = run("transform m - -o p.csv --confidence c.csv", "1,2,3,4,5,6\n1,2,x,4,5,6\n");
  EXPECT_EQ(bad.status, 2) << bad.err;
  EXPECT_FALSE(fs::exists(path("p.csv")) || fs::exists(path("c.csv")));
  expect_done("extend x.npy y.npy -o m --extension lvm:metric=cosine");
  std::string many;
  for (int i = 0; i < 300; ++i) many += i == 290 ? "0,0,0,0,0,0\n" : "1,2,3,4,5,6\n";
  const Result zero = run("transform m - -o p.csv --confidence c.csv", many);
  EXPECT_EQ(zero.status, 2);
  EXPECT_NE(zero.err.find("row 290 has length 0"), std::string::npos) << zero.err;
  EXPECT_FALSE(fs::exists(path("p.csv")) || fs::exists(path("c.csv")));
}

// The peak memory of the tool, in kB, when it has read all rows but still waits for more.
double peak_after(const fs::path& folder, int rows) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    const auto model = (folder / "m").string(), output = (folder / "out.csv").string();
    execl(FOLDOUT_TOOL, "foldout", "transform", model.c_str(), "-", "-o", output.c_str(), "-q", nullptr);
    _exit(1);
  }
  close(ends[0]);
  FILE* input = fdopen(ends[1], "w");
  for (int i = 0; i < rows; ++i)
    std::fprintf(input, "0.%d,0.%d,0.%d,0.5,0.6,0.%d\n", i % 97 + 1, i % 89 + 1, i % 83 + 1, i % 79 + 1);
  std::fflush(input);
  for (int waiting = 1; waiting > 0 && ioctl(ends[1], FIONREAD, &waiting) == 0;) usleep(1000);
  usleep(200000);  // until the last rows are placed
  std::ifstream status("/proc/" + std::to_string(child) + "/status");
  double peak = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> peak;
  std::fclose(input);
  int code = 0;
  waitpid(child, &code, 0);
  EXPECT_EQ(code, 0);
  return peak;
}

TEST_F(Extensions, MemoryDoesNotGrowWithTheNumberOfStreamedRows) {
  if (!kMemoryIsMeasurable) GTEST_SKIP() << "built with a sanitizer";
  expect_done("extend x.npy y.npy -o m --extension lvm");
  const double few = peak_after(path(""), 1000);
  if (!(few > 0)) GTEST_SKIP() << "no /proc";
  EXPECT_LT(peak_after(path(""), 100000), 1.3 * few);
  EXPECT_EQ(matrix("out.csv").rows(), 100000);
}

TEST_F(Extensions, AnSvmIsTrainedOnceAndStored) {
  const Result fit = run("fit x.npy -o m --method pca:n_components=4 --labels who.txt --classifier svm --json");
  ASSERT_EQ(fit.status, 0) << fit.err;
  const auto said = nlohmann::json::parse(fit.out);
  const auto spec = said.at("classifier").get<std::string>();
  EXPECT_EQ(spec.find("auto"), std::string::npos) << spec;
  for (const char* name : {"svm_cost", "svm_width", "svm_accuracy", "support_vectors"})
    EXPECT_TRUE(said.at("figures").contains(name)) << name;
  EXPECT_NE(run("info m").out.find("svm:cost="), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(run("info m --json").out).at("classifier"), spec);
  const Result stored = run("classify m new.npy -o a.txt --truth truth.txt --json");
  EXPECT_EQ(nlohmann::json::parse(stored.out).at("classifier"), spec) << stored.err;
  expect_done("classify m new.npy -o b.txt --classifier svm --threads 2");
  EXPECT_EQ(slurp(path("a.txt")), slurp(path("b.txt")));
  expect_done("extend x.npy y.npy -o m2 --extension linear --labels who.txt --classifier svm --seed 3");
  EXPECT_NE(run("info m2").out.find("seed=3"), std::string::npos);
  expect_done("fit x.npy -o m3 --preset faces --labels who.txt --classifier svm:metric=cosine,cost=1");
  EXPECT_NE(run("info m3").out.find("svm:cost=1,"), std::string::npos);
  expect_refused("fit x.npy -o m4 --method pca --classifier svm", {"svm", "--labels"});
  expect_refused("fit x.npy -o m4 --method pca --classifier svn", {"svn", "svm"});
}

}  // namespace
}  // namespace foldout::cli_test
