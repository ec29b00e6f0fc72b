// SPDX-License-Identifier: Apache-2.0
#include "foldout/model/compare.h"
#include "components/trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/random.h"
#include "core/rows.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"
#include "foldout/model/model.h"
#include "model/model_archive.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

Labels labels_of(const std::vector<int>& classes) {
  std::vector<std::string> texts;
  for (const int c : classes) texts.push_back("class " + std::to_string(c));
  return make_labels(texts);
}

Dataset labelled_roll(Index n, std::uint64_t seed = 1) {
  Dataset data{.samples = dataset::lifted_roll(n, 8, seed), .labels = {}, .image = {}, .columns = {}};
  std::vector<int> classes;
  for (Index i = 0; i < n; ++i) classes.push_back(data.samples(i, 0) > 0 ? 1 : 0);
  data.labels = labels_of(classes);
  return data;
}

Dataset part_of(const Dataset& data, const std::vector<Index>& rows) {
  return {.samples = dataset::rows_of(data.samples, rows), .labels = {}, .image = {}, .columns = {}};
}

std::vector<std::string> texts_of(const Dataset& data, const std::vector<Index>& rows) {
  std::vector<std::string> texts;
  for (const Index i : rows) texts.push_back(data.labels->text(i));
  return texts;
}

TEST(Split, UsesTheSameFractionOfEveryClass) {
  std::vector<int> classes;
  for (int i = 0; i < 100; ++i) classes.push_back(i % 10 < 7 ? 0 : (i % 10 < 9 ? 1 : 2));  // 70, 20 and 10
  const Split split = split_samples(100, classes, 0.6, 3);
  std::vector<int> counts(3, 0);
  for (const Index i : split.train) ++counts[static_cast<std::size_t>(classes[static_cast<std::size_t>(i)])];
  EXPECT_EQ(counts, (std::vector<int>{42, 12, 6}));
  std::set<Index> all(split.train.begin(), split.train.end());
  all.insert(split.held.begin(), split.held.end());
  EXPECT_EQ(all.size(), 100U);
  EXPECT_EQ(split.train.size() + split.held.size(), 100U) << "no sample is in both";
  EXPECT_TRUE(std::ranges::is_sorted(split.train) && std::ranges::is_sorted(split.held));
}

TEST(Split, FollowsTheSeedAlone) {
  const auto again = [](std::uint64_t seed) { return split_samples(50, {}, 0.7, seed).train; };
  EXPECT_EQ(again(1), again(1));
  EXPECT_NE(again(1), again(2));
  EXPECT_EQ(again(1).size(), 35U);
}

TEST(Split, RefusesWhatCannotBeSplit) {
  EXPECT_THROW((void)split_samples(1, {}, 0.7, 0), InvalidArgument);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([] { (void)split_samples(4, {0, 1, 2, 3}, 0.7, 0); }), "4 samples"));
  EXPECT_TRUE(contains(message_of<InvalidArgument>([] { (void)split_samples(4, {0, 1}, 0.5, 0); }), "2 labels"));
}

// Every figure again, computed with public functions.
TEST(Compare, AgreesWithTheSameStepsByHand) {
  const Dataset data = labelled_roll(80);
  const ModelSpec spec{.preprocess = {"standardize"}, .method = "laplacian_eigenmaps:n_neighbors=8"};
  const std::vector<Component<ExtensionRow>> extensions{"lvm:n_neighbors=5", "sparse", "nystrom", "linear"};
  const CompareOptions options{.train = 0.6, .repeats = 3, .seed = 11};
  const Comparison comparison = compare_extensions(data, spec, extensions, options);
  ASSERT_EQ(comparison.rows.size(), 4U);
  EXPECT_EQ(comparison.n_train + comparison.n_new, 80);
  const Matrix batch = fit_model(data, spec).coordinates;
  for (std::size_t e = 0; e < extensions.size(); ++e) {
    std::vector<double> errors, rates;
    for (std::uint64_t repeat = 0; repeat < 3; ++repeat) {
      const Split split = split_samples(80, data.labels->index, 0.6, 11 + repeat);
      ModelSpec with = spec;
      with.extension = extensions[e];
      const Model model = fit_model(part_of(data, split.train), with);
      const Matrix placed = model.transform(dataset::rows_of(data.samples, split.held));
      errors.push_back(placement(model.coordinates, placed, dataset::rows_of(batch, split.train),
                                 dataset::rows_of(batch, split.held)));
      rates.push_back(
          neighbor_accuracy(model.coordinates, texts_of(data, split.train), placed, texts_of(data, split.held)));
    }
    const double mean = (errors[0] + errors[1] + errors[2]) / 3;
    double variance = 0;
    for (const double error : errors) variance += (error - mean) * (error - mean) / 3;
    const ComparedExtension& row = comparison.rows[e];
    EXPECT_EQ(row.spec, extensions[e].short_text());
    EXPECT_EQ(row.refusal, "");
    EXPECT_NEAR(row.placement.mean, mean, 1e-12) << row.spec;
    EXPECT_NEAR(row.placement.spread, std::sqrt(variance), 1e-12) << row.spec;
    ASSERT_TRUE(row.accuracy.has_value());
    EXPECT_NEAR(row.accuracy->mean, (rates[0] + rates[1] + rates[2]) / 3, 1e-12) << row.spec;
    EXPECT_GT(row.place_seconds, 0);
  }
}

TEST(Compare, FitsExtensionsToAtoms) {
  const Dataset data = labelled_roll(200);
  ModelSpec spec{.preprocess = {"standardize"}, .method = "lle:n_neighbors=8", .dictionary = "lcdl:n_atoms=40"};
  const std::vector<Component<ExtensionRow>> extensions{"codes:coding_tau=4,locality=0.1", "sparse", "geodesic"};
  const auto rows = compare_extensions(data, spec, extensions, {.train = 0.6, .repeats = 1, .seed = 3}).rows;
  EXPECT_TRUE(contains(rows[2].refusal, "isomap"));
  const Matrix batch = fit_model(data, {.preprocess = spec.preprocess, .method = spec.method}).coordinates;
  const Split split = split_samples(200, data.labels->index, 0.6, 3);
  for (std::size_t e = 0; e < 2; ++e) {
    spec.extension = extensions[e];
    const Model model = fit_model(part_of(data, split.train), spec);
    const Matrix placed = model.transform(dataset::rows_of(data.samples, split.held));
    EXPECT_NEAR(
        rows[e].placement.mean,
        placement(model.coordinates, placed, dataset::rows_of(batch, split.train), dataset::rows_of(batch, split.held)),
        1e-12);
    EXPECT_NEAR(rows[e].accuracy->mean,
                neighbor_accuracy(model.coordinates, texts_of(data, split.train), placed, texts_of(data, split.held)),
                1e-12);
  }
  EXPECT_THROW(spec.dictionary = "lcdl:n_atom=4", InvalidArgument);
}

TEST(Compare, ReportsRefusalsInTheirRows) {
  Dataset data = labelled_roll(40);
  data.labels.reset();
  const auto rows =
      compare_extensions(data, {.method = "ltsa"}, {"geodesic", "lvm", "nystrom", "lle:n_neighbors=39"}, {.repeats = 2})
          .rows;
  EXPECT_TRUE(contains(rows[0].refusal, "isomap")) << rows[0].refusal;
  EXPECT_EQ(rows[1].refusal, "");
  EXPECT_GT(rows[1].placement.mean, 0);
  EXPECT_FALSE(rows[1].accuracy.has_value());
  EXPECT_TRUE(contains(rows[2].refusal, "no kernel")) << rows[2].refusal;
  EXPECT_TRUE(contains(rows[3].refusal, "n_neighbors = 39")) << rows[3].refusal;
}

TEST(Compare, RefusesWrongRequests) {
  Dataset data = labelled_roll(30);
  const ModelSpec spec{.method = "pca"};
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { (void)compare_extensions(data, spec, {"lvn"}); }), "lvm"));
  EXPECT_THROW((void)compare_extensions(data, spec, {"lvm:n_neighbours=3"}), InvalidArgument);
  EXPECT_THROW((void)compare_extensions(data, spec, {"lvm"}, {.train = 1.0}), InvalidArgument);
  EXPECT_THROW((void)compare_extensions(data, spec, {"lvm"}, {.repeats = 0}), InvalidArgument);
  data.labels->index.pop_back();
  EXPECT_TRUE(
      contains(message_of<InvalidArgument>([&] { (void)compare_extensions(data, spec, {"lvm"}); }), "29 labels"));
}

double error_in(const std::string& fact) { return std::stod(fact.substr(std::string("placement error ").size())); }

// The training part may be too small for the method: always for n − 1 coordinates.
TEST(Auto, UsesPairsIfAPartCannotBeFitted) {
  const Dataset data = labelled_roll(24);
  for (const std::string method : {"laplacian_eigenmaps:graph=full,n_components=23", "isomap:n_neighbors=20"}) {
    const Model model = fit_model(data, {.method = method, .extension = "auto"});
    EXPECT_TRUE(model.report.has_note("auto_given_coordinates")) << method;
    EXPECT_NE(model.report.find_fact("extension_chosen"), nullptr);
    EXPECT_TRUE(model.transform(data.samples).allFinite());
  }
}

TEST(Auto, ReportsWhyNothingCanBeTried) {
  const Dataset one{.samples = Matrix::Ones(1, 2), .labels = {}, .image = {}, .columns = {}};
  const auto text = message_of<InvalidArgument>(
      [&] { (void)extend_model(one, Matrix::Ones(1, 1), {.method = "", .extension = "auto"}); });
  EXPECT_TRUE(contains(text, "1 samples")) << text;
  EXPECT_FALSE(contains(text, "budget")) << text;
}

TEST(Extend, AcceptsExternalCoordinates) {
  const Dataset data = labelled_roll(70);
  const Matrix Y = data.samples.leftCols(2).array().square();
  const Matrix fresh = labelled_roll(30, 5).samples;
  for (const std::string extension :
       {"auto", "sparse", "lvm", "linear", "rbf", "elm:n_nodes=51", "lle", "kernel_extrapolation"}) {
    const Model model =
        extend_model(data, Y, {.preprocess = {"center", "pca:n_components=6"}, .method = "", .extension = extension});
    EXPECT_EQ(model.spec.method.text(), "");
    EXPECT_TRUE(dataset::same_bits(model.coordinates, Y));
    EXPECT_EQ(model.labels->index, data.labels->index);
    const Model loaded = from_archive(decode_archive(encode_archive(to_archive(model)), "model"));
    EXPECT_TRUE(dataset::same_bits(loaded.transform(fresh), model.transform(fresh))) << extension;
    EXPECT_EQ(loaded.spec.extension.text(), model.spec.extension.text());
    const Model again =
        extend_model(data, Y, {.preprocess = model.spec.preprocess, .method = "", .extension = model.spec.extension});
    EXPECT_TRUE(dataset::same_bits(again.transform(fresh), model.transform(fresh))) << extension;
  }
}

// Errors are relative to the held-out pairs themselves: the method is not fitted again.
// The five nearest rows of Y to y, by sorting all.
std::vector<Index> five_nearest(const Matrix& Y, const Matrix& y) {
  std::vector<Index> order(static_cast<std::size_t>(Y.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, {}, [&](Index i) { return (Y.row(i) - y).squaredNorm(); });
  return {order.begin(), order.begin() + 5};
}

double number_after(const std::string& fact, const std::string& words) {
  return std::stod(fact.substr(fact.find(words) + words.size()));
}

TEST(Extend, SelectsByNeighborsOfHeldOutPairs) {
  Dataset data = labelled_roll(60);
  data.labels.reset();
  const Matrix Y = (0.3 * data.samples * Rng(3).normal_matrix(8, 2)).array().sin() + 7;
  const Model model = extend_model(data, Y, {.method = "", .extension = "auto:seed=4"});
  const Split split = split_samples(60, {}, 0.7, 4);
  const Matrix train = dataset::rows_of(Y, split.train), held = dataset::rows_of(Y, split.held),
               X = dataset::rows_of(data.samples, split.train), fresh = dataset::rows_of(data.samples, split.held);
  const double extent = (held.rowwise() - train.colwise().mean()).norm();
  double most = 0, of_chosen = 0;
  for (const std::string extension :
       {"sparse", "lvm", "linear", "rbf", "elm", "lle", "mode", "kernel_extrapolation", "codes"}) {
    const Model part = extend_model(part_of(data, split.train), train, {.method = "", .extension = extension});
    const Matrix placed = part.transform(fresh);
    const std::string& fact = *model.report.find_fact("trial " + extension);
    const double error = (placed - held).norm() / extent;
    EXPECT_NEAR(error_in(fact), error, 1e-3 * error) << extension;
    double kept = 0;
    for (Index i = 0; i < placed.rows(); ++i) {
      const auto on_map = five_nearest(train, placed.row(i)), wanted = five_nearest(X, fresh.row(i));
      for (const Index j : on_map) kept += std::ranges::count(wanted, j) / (5.0 * static_cast<double>(placed.rows()));
    }
    EXPECT_NEAR(number_after(fact, "neighbours kept "), kept, 1e-3) << extension;
    if (extension == *model.report.find_fact("extension_chosen")) of_chosen = kept;
    most = std::max(most, kept);
  }
  EXPECT_GT(of_chosen, most - 0.1);
  EXPECT_EQ(model.report.find_fact("trial nystrom"), nullptr);
}

}  // namespace
}  // namespace foldout
