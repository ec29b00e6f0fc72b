// SPDX-License-Identifier: Apache-2.0
// What every map from samples to coordinates promises (maps/out_of_sample_map.h), as one suite: instantiate
// MapContract with the models whose maps are to keep it.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "core/random.h"
#include "core/rows.h"
#include "foldout/core/error.h"
#include "foldout/model/model.h"
#include "model/model_archive.h"
#include "neighbors/neighbors.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {

struct MapCase {
  std::string name;
  ModelSpec spec;
  Index n_features = 3;
  Index n_samples = 110;
  bool sheet = false;                         // samples of dataset::sheet instead of a roll
  std::optional<double> training_error = {};  // instead of the tolerance of the extension
};

/// What "approximate" means, by extension: a bound on the error that placing the training samples makes. The unit is
/// the error of a map that confuses every sample with its nearest neighbour, so that below 1 a wrong neighbour is
/// noticed. linear is the only one that may be worse: most coordinates are no linear functions of the samples.
inline double training_error_of(const std::string& extension) {
  static const std::map<std::string, double> kBounds{
      {"codes", 0.1},   {"elm", 0.6},  {"geodesic", 0.95}, {"kernel_extrapolation", 0.4}, {"linear", 3}, {"lvm", 1},
      {"nystrom", 0.6}, {"rbf", 0.05}, {"sparse", 0.5}};
  return kBounds.at(extension);
}

inline void PrintTo(const MapCase& c, std::ostream* out) { *out << c.name; }
inline std::string case_name(const testing::TestParamInfo<MapCase>& c) { return c.param.name; }

class MapContract : public testing::TestWithParam<MapCase> {
 protected:
  // Samples are positive, so that cosines and histograms make sense.
  static Matrix samples(Index n, std::uint64_t seed) {
    if (GetParam().sheet) return dataset::sheet(n, seed).array() + 20;
    const Index d = GetParam().n_features;
    return (d == 3 ? dataset::roll(n, seed) : dataset::lifted_roll(n, d, seed)).array() + 20;
  }
  void SetUp() override {
    train_ = d_fixed(samples(GetParam().n_samples, 1));
    fresh_ = d_fixed(samples(150, 2));
    model_ = fit_model(dataset::labelled(train_), GetParam().spec);
    ASSERT_TRUE(model_.map) << "no map for " << model_.spec.method.text();
  }
  // lifted_roll draws its directions from the seed: new samples must lie on the same roll.
  [[nodiscard]] Matrix d_fixed(const Matrix& drawn) const {
    if (GetParam().n_features == 3) return drawn;
    const Index n = GetParam().n_samples;
    const Matrix all = dataset::lifted_roll(n + 150, GetParam().n_features, 1).array() + 20;
    return drawn.rows() == n ? Matrix(all.topRows(n)) : Matrix(all.bottomRows(150));
  }
  [[nodiscard]] Matrix place(const Matrix& samples) const { return model_.transform(samples); }
  // The largest of all coordinates, each in the unit of training_error_of.
  [[nodiscard]] double training_error(const Matrix& Y) const {
    const NeighborTable nearest = nearest_neighbors(train_, 1);
    const Matrix& C = model_.coordinates;
    double largest = 0;
    for (Index k = 0; k < C.cols(); ++k) {
      Vector confused(C.rows());
      for (Index i = 0; i < C.rows(); ++i) confused[i] = C(nearest.of(i)[0], k);
      largest = std::max(largest, (Y.col(k) - C.col(k)).norm() / (confused - C.col(k)).norm());
    }
    return largest;
  }
  [[nodiscard]] double size() const { return model_.coordinates.cwiseAbs().maxCoeff(); }

  Matrix train_, fresh_;
  Model model_;
};

TEST_P(MapContract, HasTheShapeItSays) {
  const MapInfo info = model_.map->info();
  const Matrix Y = place(fresh_);
  EXPECT_EQ(Y.rows(), 150);
  EXPECT_EQ(Y.cols(), info.n_components);
  EXPECT_EQ(info.n_components, model_.coordinates.cols());
  EXPECT_EQ(model_.coordinates.rows(), train_.rows());
  EXPECT_TRUE(Y.allFinite());
  EXPECT_FALSE(info.name.empty());
  EXPECT_EQ(place(Matrix(0, train_.cols())).rows(), 0);
}

TEST_P(MapContract, PlacesEachSampleAsIfItWereAlone) {
  const Matrix all = place(fresh_);
  for (const Index count : {1, 2, 47, 48, 49, 63, 64, 65})
    EXPECT_TRUE(dataset::same_bits(place(fresh_.topRows(count)), all.topRows(count))) << count;
  for (const Index i : {1, 30, 48, 100, 149})
    EXPECT_TRUE(dataset::same_bits(place(fresh_.middleRows(i, 1)), all.middleRows(i, 1))) << i;
  EXPECT_TRUE(dataset::same_bits(place(fresh_.bottomRows(77)), all.bottomRows(77)));
  const auto order = dataset::random_order(150, 9);
  EXPECT_TRUE(dataset::same_bits(place(dataset::rows_of(fresh_, order)), dataset::rows_of(all, order)));
}

TEST_P(MapContract, IsTheSameOnTwoThreads) {
  EXPECT_TRUE(dataset::same_bits(model_.transform(fresh_, {.n_threads = 2}), place(fresh_)));
  const Model again = fit_model(dataset::labelled(train_), GetParam().spec, {.n_threads = 2});
  EXPECT_TRUE(dataset::same_bits(again.coordinates, model_.coordinates));
  EXPECT_TRUE(dataset::same_bits(again.transform(fresh_), place(fresh_)));
}

TEST_P(MapContract, MayBeUsedFromSeveralThreadsAtOnce) {
  const Matrix expected = place(fresh_);
  Matrix first, second;
  {
    const std::jthread one([&] { first = model_.transform(fresh_, {.n_threads = 2}); });
    const std::jthread two([&] { second = model_.transform(fresh_); });
  }
  EXPECT_TRUE(dataset::same_bits(first, expected));
  EXPECT_TRUE(dataset::same_bits(second, expected));
}

TEST_P(MapContract, ReturnsTrainingSamplesAsPromised) {
  const Matrix Y = place(train_);
  const MapInfo info = model_.map->info();
  ASSERT_NE(info.promise, TrainingPromise::kNone);
  if (info.promise == TrainingPromise::kExact) {
    EXPECT_LT((Y - model_.coordinates).cwiseAbs().maxCoeff(), 1e-10 * size());
    return;
  }
  const double tolerance = GetParam().training_error.value_or(training_error_of(info.name));
  EXPECT_LT(training_error(Y), tolerance);
  // A coordinate of the wrong sign, or rows that are one off, would be noticed.
  for (Index k = 0; k < Y.cols(); ++k) {
    Matrix turned = model_.coordinates;
    turned.col(k) *= -1;
    EXPECT_GT(training_error(turned), tolerance) << k;
  }
  Matrix shifted(Y.rows(), Y.cols());
  shifted << model_.coordinates.bottomRows(Y.rows() - 1), model_.coordinates.topRows(1);
  EXPECT_GT(training_error(shifted), tolerance);
}

TEST_P(MapContract, GivesTheSameBitsAfterSaveAndLoad) {
  const auto bytes = encode_archive(to_archive(model_));
  const Model loaded = from_archive(decode_archive(bytes, "model"));
  EXPECT_TRUE(dataset::same_bits(loaded.transform(fresh_), place(fresh_)));
  EXPECT_TRUE(dataset::same_bits(loaded.coordinates, model_.coordinates));
  EXPECT_EQ(loaded.map->info().name, model_.map->info().name);
  EXPECT_EQ(loaded.map->info().promise, model_.map->info().promise);
  EXPECT_EQ(encode_archive(to_archive(loaded)), bytes);
}

TEST_P(MapContract, SaysHowWellItExplainsEachSample) {
  const Explanation all = model_.explain(fresh_);
  ASSERT_EQ(all.confidence.size(), 150);
  EXPECT_TRUE((all.confidence.array() >= 0).all() && (all.confidence.array() <= 1).all());
  EXPECT_TRUE((all.residuals.array() >= 0).all());
  for (const Index i : {0, 48, 149}) {
    const Explanation alone = model_.explain(fresh_.middleRows(i, 1), {.n_threads = 2});
    EXPECT_EQ(alone.confidence[0], all.confidence[i]);
    EXPECT_EQ(alone.residuals[0], all.residuals[i]);
  }
  const Model loaded = from_archive(decode_archive(encode_archive(to_archive(model_)), "model"));
  EXPECT_EQ(loaded.explain(fresh_).confidence, all.confidence);
  // What is like the training samples is explained far better than what is nothing like them.
  const Matrix far = Matrix::Constant(1, train_.cols(), 40 * train_.maxCoeff()) - 70 * fresh_.topRows(1);
  EXPECT_GT(model_.explain(train_).confidence.mean(), 0.5);
  for (const auto& step : GetParam().spec.preprocess)
    if (step.name() == "kernel_whitening") return;  // a Gaussian kernel sends all that is far away to one place
  EXPECT_LT(model_.explain(far).confidence[0], 0.05);
}

TEST_P(MapContract, RefusesAnotherNumberOfFeatures) {
  for (const Index width : {train_.cols() - 1, train_.cols() + 1}) {
    const std::string text = message_of<InvalidArgument>([&] { (void)place(Matrix::Ones(3, width)); });
    EXPECT_TRUE(contains(text, std::to_string(width) + " features")) << text;
    EXPECT_TRUE(contains(text, std::to_string(train_.cols()))) << text;
  }
  EXPECT_THROW((void)model_.map->transform(Matrix::Ones(3, model_.map->info().n_features + 1)), InvalidArgument);
}

TEST_P(MapContract, RefusesValuesThatAreNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Matrix X = fresh_;
    X(60, 1) = bad;
    const std::string text = message_of<InvalidArgument>([&] { (void)place(X); });
    EXPECT_TRUE(contains(text, "row 60, column 1")) << text;
  }
}

TEST_P(MapContract, NeverReturnsNaN) {
  const Matrix middle = Matrix::Constant(1, train_.cols(), train_.mean());
  for (const double scale : {0.0, 1e3, -1e3, 1e8, 1e20, 1e40, 1e100, 1e150, 1e160, 1e200, 1e300}) {
    const Matrix X = (fresh_.topRows(5) * scale).rowwise() + middle.row(0);
    try {
      EXPECT_TRUE(place(X).allFinite()) << scale;
      if (!model_.map->has_codes()) continue;
      const SparseMatrix codes = model_.codes(X);
      EXPECT_TRUE(Eigen::Map<const Vector>(codes.valuePtr(), codes.nonZeros()).allFinite()) << scale;
    } catch (const NumericalError& error) {
      EXPECT_GE(std::abs(scale), 1e20) << error.what();
    } catch (const InvalidArgument& error) {
      EXPECT_GE(std::abs(scale), 1e20) << error.what();
    }
  }
}

}  // namespace foldout
