// SPDX-License-Identifier: Apache-2.0
// Distances from a file instead of samples, and the steps and keys around them, as their users meet them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/cli.h"
#include "core/random.h"
#include "foldout/io/files.h"

namespace foldout::cli_test {
namespace {

Matrix distances(const Matrix& A, const Matrix& B) {
  Matrix D(A.rows(), B.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.rows(); ++j) D(i, j) = (A.row(i) - B.row(j)).norm();
  return D;
}

// x.npy and new.npy, and their distances to the rows of x.npy.
class PrecomputedFile : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    const Matrix X = Rng(1).normal_matrix(60, 4), fresh = Rng(2).normal_matrix(25, 4);
    save_matrix(path("x.npy"), X);
    save_matrix(path("new.npy"), fresh);
    save_matrix(path("d.npy"), distances(X, X));
    save_matrix(path("d.csv"), distances(X, X));
    save_matrix(path("dnew.npy"), distances(fresh, X));
    save_matrix(path("k.npy"), X * X.transpose());
    std::ofstream who(path("who.txt"));
    for (Index i = 0; i < 60; ++i) who << (X(i, 0) > 0 ? "up" : "down") << "\n";
  }
  void expect_close(const std::string& a, const std::string& b) const {
    const Matrix A = load_matrix(path(a)), B = load_matrix(path(b));
    EXPECT_LT((A - B).cwiseAbs().maxCoeff(), 1e-8) << a << ", " << b;
  }
};

TEST_F(PrecomputedFile, GivesTheCoordinatesOfTheSamples) {
  for (const std::string method : {"mds", "isomap", "laplacian_eigenmaps", "diffusion_maps"}) {
    expect_done("fit x.npy -o m --labels who.txt --embedding y.npy --method " + method);
    expect_done("transform m new.npy -o placed.npy");
    expect_done("classify m new.npy -o labels.txt");
    expect_done("fit d.npy -o md --labels who.txt --embedding yd.npy --method " + method + ":metric=precomputed");
    expect_done("transform md dnew.npy -o placedd.npy --confidence c.npy");
    expect_done("classify md dnew.npy -o labelsd.txt");
    expect_close("y.npy", "yd.npy");
    expect_close("placed.npy", "placedd.npy");
    EXPECT_EQ(slurp(path("labels.txt")), slurp(path("labelsd.txt")));
    const Matrix confidence = load_matrix(path("c.npy"));
    EXPECT_TRUE(confidence.col(0).minCoeff() >= 0 && confidence.col(0).maxCoeff() <= 1);
    expect_done("info md");
  }
  expect_done("fit d.csv -o csv --embedding ycsv.npy --method diffusion_maps:metric=precomputed");
  expect_close("ycsv.npy", "yd.npy");
}

TEST_F(PrecomputedFile, IsRefusedWithTheReasonAndARemedy) {
  expect_refused("fit x.npy -o m --method mds:metric=precomputed", {"square", "60 rows and 4 columns"});
  expect_refused("fit d.npy -o m --method lle:metric=precomputed", {"isomap, mds, laplacian_eigenmaps"});
  expect_refused("fit d.npy -o m --method isomap:metric=precomputed --preprocess center", {"center needs the samples"});
  expect_refused("fit d.npy -o m --method isomap:metric=precomputed --extension sparse", {"geodesic or nystrom"});
  expect_refused("fit k.npy -o m --method mds:metric=precomputed", {"row ", "column "});
  expect_done("fit k.npy -o m --method kpca:kernel=precomputed");
  expect_refused("transform m k.npy -o y.npy --confidence c.npy", {"kernel values", "metric=precomputed"});
  expect_refused("transform m new.npy -o y.npy", {"rows have 4 values", "all 60 training samples"});
  expect_done("transform m k.npy -o y.npy");
}

TEST_F(PrecomputedFile, NegativeDistancesOfNewSamplesAreNamed) {
  expect_done("fit d.npy -o m --method isomap:metric=precomputed");
  Matrix rows = load_matrix(path("dnew.npy"));
  rows(21, 5) = -1;
  save_matrix(path("bad.npy"), rows);
  expect_refused("transform m bad.npy -o y.npy", {"row 21 has the distance -1 to training sample 5"});
}

TEST_F(PrecomputedFile, AFractionOfTheVarianceBecomesANumber) {
  const auto fitted = nlohmann::json::parse(run("fit x.npy -o m --method pca:n_components=0.6 --json").out);
  const int count = fitted.at("n_components");
  EXPECT_NE(fitted.at("method").get<std::string>().find("n_components=" + std::to_string(count)), std::string::npos);
  EXPECT_GT(count, 1);
  EXPECT_LT(count, 4);
  expect_refused("fit x.npy -o m --method pca:n_components=1.5", {"n_components = 1.5", "whole number"});
  expect_refused("fit x.npy -o m --method pca:n_components=0", {"n_components = 0"});
  expect_refused("fit x.npy -o m --method pca:n_components=1.0", {"whole number without a point"});
}

TEST_F(PrecomputedFile, MinmaxIsReplayedOnNewSamples) {
  expect_done("fit x.npy -o m --preprocess minmax --method pca:n_components=4");
  expect_done("fit x.npy -o wide --preprocess minmax:low=-1,high=3 --method pca:n_components=4");
  expect_done("transform m new.npy -o a.npy");
  expect_done("transform wide new.npy -o b.npy");
  EXPECT_LT((4 * load_matrix(path("a.npy")) - load_matrix(path("b.npy"))).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace foldout::cli_test
