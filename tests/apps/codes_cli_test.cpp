// SPDX-License-Identifier: Apache-2.0
// transform --codes and --codes-signed, and the extension own.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/cli.h"
#include "core/random.h"
#include "foldout/io/files.h"
#include "linalg/distance.h"

namespace foldout::cli_test {
namespace {

class Codes : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    const Matrix X = Rng(1).uniform_matrix(30, 12).array() + 0.1;
    save_matrix(path("x.npy"), X);
    Matrix fresh = Rng(2).uniform_matrix(9, 12).array() + 0.1;
    fresh.row(4) = X.row(7);
    save_matrix(path("new.npy"), fresh);
    save_matrix(path("y.npy"), X * Rng(3).normal_matrix(12, 2));
  }
  [[nodiscard]] Matrix matrix(const std::string& name) const { return load_matrix(path(name)); }
  [[nodiscard]] Matrix dense(const std::string& name) const {
    const Matrix data = matrix(name + ":data"), columns = matrix(name + ":indices"), rows = matrix(name + ":indptr"),
                 shape = matrix(name + ":shape");
    Matrix codes = Matrix::Zero(static_cast<Index>(shape(0, 0)), static_cast<Index>(shape(1, 0)));
    for (Index i = 0; i < codes.rows(); ++i)
      for (auto e = static_cast<Index>(rows(i, 0)); e < static_cast<Index>(rows(i + 1, 0)); ++e)
        codes(i, static_cast<Index>(columns(e, 0))) = data(e, 0);
    return codes;
  }
};

TEST_F(Codes, SignedOnesGiveTheWeightsAndSolveTheLinearProgram) {
  expect_done("extend x.npy y.npy -o m --extension sparse:errors=none");
  expect_done("transform m new.npy -o p.npy --codes w.npz --codes-signed a.npz");
  const Matrix W = dense("w.npz"), A = dense("a.npz");
  ASSERT_EQ(A.rows(), 9);
  ASSERT_EQ(A.cols(), 30);
  EXPECT_LT(A.minCoeff(), -1e-3) << "some are negative";
  const Matrix weights = A.cwiseAbs().array().colwise() / A.cwiseAbs().rowwise().sum().array();
  EXPECT_LT((weights - W).cwiseAbs().maxCoeff(), 1e-12) << "Eq. (9): W = |a| / Σ|a|";
  EXPECT_LT((W * matrix("y.npy") - matrix("p.npy")).cwiseAbs().maxCoeff(), 1e-12);
  // Samples at unit length, reconstructed without errors.
  const Matrix unit = unit_rows(matrix("x.npy"));
  EXPECT_LT((A * unit - unit_rows(matrix("new.npy"))).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(A(4, 7), 1, 1e-9) << "a training sample is its own code";
  expect_done("transform m new.npy -o q.npy");
  EXPECT_EQ(matrix("q.npy"), matrix("p.npy"));
}

TEST_F(Codes, AreComputedOnceWithTheCoordinates) {
  expect_done("extend x.npy y.npy -o m --extension sparse");
  const auto plain = nlohmann::json::parse(run("transform m new.npy -o p.npy --json").out);
  const auto coded = nlohmann::json::parse(run("transform m new.npy -o q.npy --codes w.npz --json").out);
  EXPECT_EQ(slurp(path("p.npy")), slurp(path("q.npy")));
  EXPECT_EQ(coded.at("figures"), plain.at("figures")) << "the same count of pivots and codes";
  EXPECT_EQ(coded.at("notes"), plain.at("notes"));
}

TEST_F(Codes, SignedOnesAreRefusedWhereThereAreNone) {
  expect_done("extend x.npy y.npy -o m --extension lle:n_neighbors=5");
  expect_refused("transform m new.npy -o p.npy --codes-signed a.npz", {"lle", "extension sparse", "--codes"});
  expect_done("fit x.npy -o m --method pca");
  expect_refused("transform m new.npy -o p.npy --codes-signed a.npz", {"pca", "extension sparse"});
  expect_done("extend x.npy y.npy -o m --extension sparse");
  expect_refused("transform m new.npy -o p.npy --codes-signed a.csv", {"--codes-signed", ".npz"});
  expect_refused("transform m new.npy -o p.npy --codes a.npz --codes-signed a.npz", {"a.npz", "one file"});
  EXPECT_FALSE(fs::exists(path("p.npy")));
  EXPECT_FALSE(fs::exists(path("a.npz")));
}

TEST_F(Codes, CompareMeasuresTheMapOfTheMethodWithoutAnExtension) {
  const auto rows = nlohmann::json::parse(run("compare x.npy --method snppe --repeats 2 --json").out).at("rows");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("extension"), "own");
  EXPECT_GT(rows[0].at("placement").at("mean"), 0);
  expect_done("fit x.npy -o own.model --method pca --extension own");
  expect_done("fit x.npy -o plain.model --method pca");
  EXPECT_EQ(slurp(path("own.model")), slurp(path("plain.model")));
  expect_refused("extend x.npy y.npy -o m --extension own", {"own", "external coordinates", "lle or sparse"});
}

}  // namespace
}  // namespace foldout::cli_test
