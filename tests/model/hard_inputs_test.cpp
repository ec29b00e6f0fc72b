// SPDX-License-Identifier: Apache-2.0
// Every method of the table on inputs that break naive code. For each input it is stated which methods must refuse it,
// with an error that names what is wrong and what to do; all others must return finite coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "components/rows.h"
#include "core/random.h"
#include "foldout/core/error.h"
#include "foldout/model/model.h"
#include "model/methods.h"
#include "support/datasets.h"
#include "support/errors.h"
#include "support/oracles.h"

namespace foldout {
namespace {

struct Outcome {
  std::optional<Model> model;
  std::string error;
};

// Methods that must refuse an input, and the words that their error must contain.
struct Refusal {
  std::vector<std::string> methods;
  std::vector<std::string> words;
};

const std::vector<std::string> kSupervised{"lda", "lsda", "cea"};
// Two coordinates need samples that span two dimensions, if the method scales distances or is linear in the samples.
const std::vector<std::string> kNeedsTwoDimensions{
    "isomap", "landmark_isomap", "mds", "pca", "lpp", "olpp", "npe", "onpp", "lsda"};

class HardInput : public testing::TestWithParam<std::string> {
 protected:
  // Fails the test unless there is a model with finite coordinates or one of our two errors.
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
  static void expect_outcome(const Matrix& samples, const std::vector<Refusal>& refusals,
                             const std::string& keys = "") {
    for (const Refusal& refusal : refusals)
      if (std::ranges::find(refusal.methods, GetParam()) != refusal.methods.end())
        return expect_error(samples, keys, refusal.words);
    expect_fits(samples, keys);
  }
  static bool has_key(const std::string& name) {
    for (const KeyInfo& key : keys_of(Component<MethodRow>(GetParam()).row()))
      if (key.name == name) return true;
    return false;
  }
};

TEST_P(HardInput, EachSampleThreeTimes) {
  expect_fits(dataset::repeated(dataset::roll(60), 3));
  expect_fits(dataset::repeated(dataset::lifted_roll(120, 15), 3));  // above the limit of dense solvers
}

// Duplicates get the same coordinates: a method cannot distinguish them, or must merge them.
TEST_P(HardInput, CopiesStayTogether) {
  const Matrix X = dataset::repeated(dataset::roll(70), 3);
  const Outcome outcome = fit(X, has_key("n_neighbors") ? "n_neighbors=15" : "");
  ASSERT_TRUE(outcome.model) << outcome.error;
  const Matrix& Y = outcome.model->coordinates;
  const double size = (Y.rowwise() - Y.colwise().mean()).rowwise().norm().mean();
  for (Index i = 0; i < X.rows(); i += 3)
    for (Index j : {i + 1, i + 2}) ASSERT_LT((Y.row(i) - Y.row(j)).norm(), 0.5 * size) << i;
}

// The labels follow from the samples here, so there is one class.
TEST_P(HardInput, AllSamplesEqual) {
  for (const Matrix& X : {Matrix(Matrix::Constant(40, 3, 2.5)), Matrix(Matrix::Constant(300, 3, 2.5)),
                          Matrix(Matrix::Zero(40, 3)), Matrix(Matrix::Constant(40, 20, 0.1))}) {
    if (GetParam() == "laplacian_eigenmaps" || GetParam() == "diffusion_maps")
      expect_fits(X);  // of a graph whose edges weigh the same
    else
      expect_outcome(X, {{kSupervised, {"all samples have the same label", "at least two classes"}},
                         {method_names(), {GetParam() + ": all", "samples are equal", "use samples that differ"}}});
  }
}

TEST_P(HardInput, FewerDistinctSamplesThanNeighbors) {
  const Matrix X = dataset::repeated(dataset::roll(6), 5);
  expect_outcome(X, {{{"lle", "hessian_lle", "ltsa"},
                      {"n_neighbors = 10 must be in 1 … 5", "24 of the 30 samples are duplicates"}}});
}

TEST_P(HardInput, ConstantColumns) {
  Matrix X = Matrix::Constant(80, 9, 1e3);
  X.leftCols(3) = dataset::roll(80);
  expect_fits(X);
  Matrix one = Matrix::Constant(60, 4, -7.0);  // only one column varies
  one.col(2) = Rng(1).normal_matrix(60, 1);
  expect_outcome(one, {{kNeedsTwoDimensions, {"n_components = 2", "span only 1 dimension:", "ask for at most 1"}}});
  expect_fits(one, GetParam() == "hessian_lle" ? "n_components=1,n_neighbors=6" : "n_components=1");
}

TEST_P(HardInput, OneFeature) {
  expect_outcome(Rng(2).normal_matrix(50, 1),
                 {{kNeedsTwoDimensions, {"n_components = 2", "span only 1 dimension:", "ask for at most 1"}}});
}

TEST_P(HardInput, TwoFarBlobs) {
  const Matrix X = dataset::blobs(40, 2, 3, 1e4);
  const Outcome outcome = fit(X, has_key("n_neighbors") ? "n_neighbors=8" : "");
  ASSERT_TRUE(outcome.model) << outcome.error;
  if (!has_key("components")) return;
  EXPECT_TRUE(outcome.model->report.has_note("components_joined"));
  expect_error(X, "n_neighbors=8,components=error", {"2 components of 40 and 40", "n_neighbors", "components=connect"});
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
  const auto one_coordinate = [](Index n) {
    return has_key("n_neighbors") ? "n_components=1,n_neighbors=" + std::to_string(n - 1) : "n_components=1";
  };
  const Refusal lonely{{"lsda", "cea"}, {"no two samples of a class are joined", "every class needs more than one"}};
  expect_outcome(dataset::roll(2),
                 {lonely,
                  {{"hessian_lle"}, {"n_neighbors = 1 must be at least 2 for n_components = 1"}},
                  {{"ltsa"}, {"n_neighbors = 1 is too small", "raise n_neighbors to at least 2"}}},
                 one_coordinate(2));
  expect_outcome(dataset::roll(3), {lonely}, one_coordinate(3));
  std::vector<std::string> with_ten_neighbors;
  for (const std::string& method : method_names())
    if (contains(Component<MethodRow>(method).text(), "n_neighbors=10")) with_ten_neighbors.push_back(method);
  expect_outcome(dataset::roll(3), {lonely, {with_ten_neighbors, {"n_neighbors = 10 must be in 1 … 2"}}});
  expect_error(Matrix(0, 3), "", {"n_samples = 0 must be at least 1"});
  expect_error(Matrix(5, 0), "", {"samples have no features"});
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

// Scaled by powers of two, which change no digit: coordinates may differ only in scale. Monomials of several degrees
// scale differently.
TEST_P(HardInput, HugeAndTinyValues) {
  const bool scales = GetParam() != "nppe" && GetParam() != "snppe";
  for (const Matrix& X : {dataset::roll(60), dataset::lifted_roll(60, 12)}) {
    const Outcome usual = fit(X);
    ASSERT_TRUE(usual.model) << usual.error;
    const Matrix& Y = usual.model->coordinates;
    for (const int power : {-490, -100, -66, 66, 100, 400}) {
      const Outcome outcome = fit(X * std::ldexp(1.0, power));
      ASSERT_TRUE(outcome.model) << outcome.error;
      const Matrix& scaled = outcome.model->coordinates;
      if (!scales) continue;
      EXPECT_LT(oracle::difference_up_to_sign(scaled / scaled.cwiseAbs().maxCoeff(), Y / Y.cwiseAbs().maxCoeff()), 1e-9)
          << power;
    }
    for (const double scale : {1e160, 1e300})
      expect_error(X * scale, "", {"row ", "magnitudes must be at most 1e+150", "divide the samples by a constant"});
    for (const double scale : {1e-300, 1e-160})
      expect_error(X * scale, "",
                   {"the largest magnitude is ", "at least 1e-150", "multiply the samples by a constant"});
  }
}

TEST_P(HardInput, OneExtremeSample) {
  const std::vector<std::string> one_dimension{"n_components = 2", "span only 1 dimension:", "ask for at most 1"};
  Matrix X = dataset::roll(60);
  X(5, 1) = 1e10;  // relative to which all others coincide, for methods that depend on squares
  expect_outcome(X, {{{"isomap", "landmark_isomap", "mds", "kpca", "nppe", "snppe"}, one_dimension}});
  X(5, 1) = 1e100;
  expect_outcome(
      X, {{{"isomap", "landmark_isomap", "mds", "kpca", "nppe", "snppe", "pca", "lpp", "olpp", "npe", "onpp", "lsda"},
           one_dimension}});
  X(5, 1) = 1e200;
  expect_error(X, "", {"row 5, column 1 is 1e+200", "at most 1e+150", "divide the samples by a constant"});
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
