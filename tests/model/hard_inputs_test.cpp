// SPDX-License-Identifier: Apache-2.0
// Every method of the table on inputs that break naive code: finite coordinates, or an error that names what is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "components/rows.h"
#include "core/random.h"
#include "foldout/core/error.h"
#include "foldout/model/model.h"
#include "model/methods.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

struct Outcome {
  std::optional<Model> model;
  std::string error;
};

class HardInput : public testing::TestWithParam<std::string> {
 protected:
  // Anything but a model with finite coordinates or one of our two errors fails the test.
  static Outcome fit(const Matrix& samples, const std::string& keys = "") {
    Outcome outcome;
    try {
      const ModelSpec spec{.method = keys.empty() ? GetParam() : GetParam() + ":" + keys};
      outcome.model = fit_model(dataset::labelled(samples), spec);
      EXPECT_TRUE(outcome.model->coordinates.allFinite());
      EXPECT_TRUE(outcome.model->eigenvalues.allFinite());
      EXPECT_EQ(outcome.model->coordinates.rows(), samples.rows());
      EXPECT_TRUE(!outcome.model->map || outcome.model->transform(samples).allFinite());
    } catch (const InvalidArgument& error) {
      outcome.error = error.what();
      EXPECT_FALSE(outcome.error.empty());
    } catch (const NumericalError& error) {
      outcome.error = error.what();
      EXPECT_FALSE(outcome.error.empty());
    }
    return outcome;
  }
  static void expect_fits(const Matrix& samples, const std::string& keys = "") {
    const Outcome outcome = fit(samples, keys);
    EXPECT_TRUE(outcome.model) << outcome.error;
  }
  static void expect_error(const Matrix& samples, const std::string& keys, const std::vector<std::string>& words) {
    const Outcome outcome = fit(samples, keys);
    EXPECT_FALSE(outcome.model);
    for (const std::string& word : words) EXPECT_TRUE(contains(outcome.error, word)) << outcome.error;
  }
  static bool has_key(const std::string& name) {
    for (const KeyInfo& key : keys_of(Component<MethodRow>(GetParam()).row()))
      if (key.name == name) return true;
    return false;
  }
};

TEST_P(HardInput, EachSampleThreeTimes) {
  expect_fits(dataset::repeated(dataset::roll(60), 3));
  expect_fits(dataset::repeated(dataset::lifted_roll(120, 15), 3));  // beyond the size of dense solvers
}

// A method either cannot tell copies apart, and places them together, or has to merge them.
TEST_P(HardInput, CopiesStayTogether) {
  const Matrix X = dataset::repeated(dataset::roll(70), 3);
  const Outcome outcome = fit(X, has_key("n_neighbors") ? "n_neighbors=15" : "");
  ASSERT_TRUE(outcome.model) << outcome.error;
  const Matrix& Y = outcome.model->coordinates;
  const double size = (Y.rowwise() - Y.colwise().mean()).rowwise().norm().mean();
  for (Index i = 0; i < X.rows(); i += 3)
    for (Index j : {i + 1, i + 2}) ASSERT_LT((Y.row(i) - Y.row(j)).norm(), 0.5 * size) << i;
}

TEST_P(HardInput, AllSamplesEqual) {
  for (const Index n : {40, 300}) fit(Matrix::Constant(n, 3, 2.5));
  fit(Matrix::Zero(40, 3));
  fit(Matrix::Constant(40, 20, 0.1));
}

TEST_P(HardInput, ConstantColumns) {
  Matrix X = Matrix::Constant(80, 9, 1e3);
  X.leftCols(3) = dataset::roll(80);
  expect_fits(X);
  Matrix one = Matrix::Constant(60, 4, -7.0);  // only one column says anything
  one.col(2) = Rng(1).normal_matrix(60, 1);
  fit(one);
  expect_fits(one, GetParam() == "hessian_lle" ? "n_components=1,n_neighbors=6" : "n_components=1");
}

TEST_P(HardInput, OneFeature) { fit(Rng(2).normal_matrix(50, 1)); }

TEST_P(HardInput, TwoFarBlobs) {
  const Matrix X = dataset::blobs(40, 2, 3, 1e4);
  const Outcome outcome = fit(X, has_key("n_neighbors") ? "n_neighbors=8" : "");
  ASSERT_TRUE(outcome.model) << outcome.error;
  if (!has_key("components")) return;
  EXPECT_TRUE(outcome.model->report.has_note("components_joined"));
  expect_error(X, "n_neighbors=8,components=error", {"2 parts of 40 and 40", "n_neighbors", "components=connect"});
  const Outcome largest = fit(X, "n_neighbors=8,components=largest");
  ASSERT_TRUE(largest.model) << largest.error;
  EXPECT_TRUE(largest.model->report.has_note("components_left_out"));
}

TEST_P(HardInput, ManyParts) {
  const Matrix X = dataset::blobs(9, 30, 3, 500);
  const Outcome outcome = fit(X, has_key("n_neighbors") ? "n_neighbors=6" : "");
  ASSERT_TRUE(outcome.model) << outcome.error;
  if (!has_key("components")) return;
  EXPECT_EQ(*outcome.model->report.find_figure("bridges"), 29);
}

TEST_P(HardInput, AsManyNeighborsAsSamples) {
  if (!has_key("n_neighbors")) return;
  const Matrix X = dataset::roll(20);
  for (const std::string k : {"20", "21", "1000", "2147483647"})
    expect_error(X, "n_neighbors=" + k, {"n_neighbors = " + k, "20"});
  expect_fits(X, "n_neighbors=19");
  expect_error(X, "n_neighbors=0", {"n_neighbors = 0 must be ≥ 1"});
}

TEST_P(HardInput, FewerSamplesThanFeatures) { expect_fits(Rng(3).normal_matrix(20, 100)); }

TEST_P(HardInput, TooManyComponents) {
  const Matrix X = dataset::roll(30);
  for (const std::string d : {"30", "31", "100000", "2147483647"})
    expect_error(X, "n_components=" + d, {"n_components = " + d});
  expect_error(X, "n_components=0", {"n_components = 0 must be ≥ 1"});
  expect_error(X, "n_components=-2", {"n_components = -2 must be ≥ 1"});
}

TEST_P(HardInput, OneTwoAndThreeSamples) {
  expect_error(dataset::roll(1), "", {GetParam(), "n_samples = 1"});
  const std::string keys = has_key("n_neighbors") ? "n_components=1,n_neighbors=" : "n_components=1";
  for (const Index n : {2, 3}) fit(dataset::roll(n), has_key("n_neighbors") ? keys + std::to_string(n - 1) : keys);
  fit(dataset::roll(3));
  EXPECT_FALSE(fit(Matrix(0, 3)).error.empty());
  EXPECT_FALSE(fit(Matrix(5, 0)).error.empty());
}

TEST_P(HardInput, ValuesThatAreNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Matrix X = dataset::roll(40);
    X(17, 2) = bad;
    expect_error(X, "", {"row 17, column 2"});
    EXPECT_THROW((void)Component<MethodRow>(GetParam()).row().fit(X, dataset::classes(X), GetParam(), {}),
                 InvalidArgument);
  }
}

TEST_P(HardInput, HugeAndTinyValues) {
  for (const double scale : {1e-200, 1e-150, 1e-30, 1e-20, 1e20, 1e30, 1e120, 1e160, 1e300}) {
    fit(dataset::roll(60) * scale);
    fit(dataset::lifted_roll(60, 12) * scale);
  }
  Matrix X = dataset::roll(60);  // one sample that is out of all proportion
  for (const double far : {1e10, 1e100, 1e200}) {
    X(5, 1) = far;
    fit(X);
  }
}

TEST_P(HardInput, IntegerGrid) {                 // ties everywhere
  expect_fits(dataset::grid(8, 2).array() + 1);  // no sample at the origin, where there are no angles
  expect_fits(dataset::grid(18, 2).array() + 1);
}

TEST_P(HardInput, UnknownKeys) {
  expect_error(dataset::roll(20), "n_component=2", {GetParam() + " has no key 'n_component'", "n_components"});
  expect_error(dataset::roll(20), "n_components=two", {"n_components = 'two' must be a whole number"});
}

INSTANTIATE_TEST_SUITE_P(Methods, HardInput, testing::ValuesIn(method_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace foldout
