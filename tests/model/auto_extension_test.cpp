// SPDX-License-Identifier: Apache-2.0
// The extension auto: its choice, its budget, and the method's own map among its candidates and those of compare.
#include "components/auto_extension.h"

#include <gtest/gtest.h>

#include <limits>

#include "components/rows.h"
#include "components/trial.h"
#include "core/random.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/model/compare.h"
#include "foldout/model/model.h"
#include "model/model_archive.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

Dataset roll(Index n, std::uint64_t seed = 1) {
  return {.samples = dataset::lifted_roll(n, 8, seed), .labels = {}, .image = {}, .columns = {}};
}

// "placement error 0.12 ± 0.01", or nothing if the extension was not tried.
std::optional<PlacementError> error_in(const std::string& fact) {
  const std::string start = "placement error ", sign = " ± ";
  if (!fact.starts_with(start)) return {};
  return PlacementError{std::stod(fact.substr(start.size())), std::stod(fact.substr(fact.find(sign) + sign.size()))};
}

double cost_of(std::string_view name, const ProblemSize& size) {
  for (const ExtensionRow& row : extension_table())
    if (row.name == name) return row.cost(size);
  throw InvalidArgument(std::string(name));
}

TEST(Auto, SelectsTheCheapestWithinOneStandardErrorOfTheBest) {
  const Dataset data = roll(90);
  for (const std::string method : {"isomap", "laplacian_eigenmaps:n_neighbors=8", "pca"}) {
    const Model model = fit_model(data, {.method = method, .extension = "auto:seed=5"});
    const std::string* chosen = model.report.find_fact("extension_chosen");
    ASSERT_NE(chosen, nullptr);
    PlacementError least{std::numeric_limits<double>::infinity(), 0};
    std::vector<std::pair<std::string, double>> tried;  // in the order of the report, which is that of cost
    for (const auto& [name, fact] : model.report.facts)
      if (const auto error = name.starts_with("trial ") ? error_in(fact) : std::nullopt) {
        tried.emplace_back(name.substr(6), error->value);
        if (error->value < least.value) least = *error;
      }
    EXPECT_GE(tried.size(), 7U);
    std::string expected;
    for (const auto& [name, error] : tried)
      if (expected.empty() && error <= 1.0001 * least.value + 1.05 * least.standard_error) expected = name;
    EXPECT_EQ(*chosen, expected) << method;
    // It is fitted to all samples, as if it had been requested.
    const Model direct = fit_model(data, {.method = method, .extension = *chosen});
    const Matrix fresh = roll(20, 3).samples;
    EXPECT_TRUE(dataset::same_bits(model.transform(fresh), direct.transform(fresh))) << *chosen;
  }
}

TEST(Auto, WritesTheSameModelOnEveryRun) {
  const Dataset data = roll(60);
  for (const std::string keys : {"repeats=2", "budget=2e6"}) {
    const ModelSpec spec{.method = "laplacian_eigenmaps", .extension = "auto:" + keys};
    EXPECT_EQ(encode_archive(to_archive(fit_model(data, spec))),
              encode_archive(to_archive(fit_model(data, spec, {.n_threads = 2}))));
  }
}

TEST(Auto, LeavesOutWhatExceedsTheBudgetAndSaysSo) {
  const Dataset data = roll(80);
  const Model all = fit_model(data, {.method = "lle", .extension = "auto"});
  EXPECT_FALSE(all.report.has_note("auto_left_out"));
  const Model some = fit_model(data, {.method = "lle", .extension = "auto:budget=3e5"});
  ASSERT_TRUE(some.report.has_note("auto_left_out"));
  EXPECT_TRUE(contains(*some.report.find_fact("trial codes"), "over the budget"));
  EXPECT_TRUE(error_in(*some.report.find_fact("trial lle")).has_value());
  const Model least = fit_model(data, {.method = "lle", .extension = "auto:budget=1"});
  EXPECT_EQ(*least.report.find_fact("extension_chosen"), "lvm") << "the cheapest is always tried";
  EXPECT_THROW((void)fit_model(data, {.method = "lle", .extension = "auto:budget=0"}), InvalidArgument);
}

// 5000 samples of 784 features, of which 1500 are held out: 20 s on one core are 2·10¹⁰ operations.
TEST(Auto, HasNoTimeForSparseCodesOfThousandsOfLargeImages) {
  const ProblemSize images{3500, 784, 2, 1500};
  const double budget = AutoOptions{}.budget;
  EXPECT_GT(cost_of("sparse", images), budget);
  EXPECT_GT(cost_of("kernel_extrapolation", images), budget);
  EXPECT_LT(cost_of("own", images) + cost_of("linear", images) + cost_of("lvm", images) + cost_of("lle", images),
            budget);
  const ProblemSize faces{280, 1024, 10, 120};
  EXPECT_LT(cost_of("sparse", faces), budget) << "a few hundred samples can be tried with everything";
}

TEST(Auto, CanChooseTheMapOfTheMethod) {
  const Dataset data = roll(90);
  for (const std::string method : {"snppe", "pca", "lpp"}) {
    const Model model = fit_model(data, {.method = method, .extension = "auto"});
    const std::string* own = model.report.find_fact("trial own");
    ASSERT_NE(own, nullptr) << method;
    ASSERT_TRUE(error_in(*own).has_value()) << *own;
  }
  const Dataset surface{.samples = dataset::roll(150), .labels = {}, .image = {}, .columns = {}};
  const Model model = fit_model(surface, {.method = "snppe", .extension = "auto"});
  EXPECT_EQ(*model.report.find_fact("extension_chosen"), "own");
  const Matrix fresh = dataset::roll(20, 3);
  EXPECT_TRUE(dataset::same_bits(model.transform(fresh), fit_model(surface, {.method = "snppe"}).transform(fresh)));
  EXPECT_EQ(fit_model(data, {.method = "lle", .extension = "auto"}).report.find_fact("trial own"), nullptr);
}

// Pieces of a noisy strip, scattered over the map like the clusters of t-SNE.
std::pair<Dataset, Matrix> scattered_pieces(Index n) {
  Rng rng(2);
  Matrix X(n, 3), Y(n, 2);
  Dataset data;
  std::vector<int> pieces;
  const Matrix centers = 100 * rng.uniform_matrix(20, 2);
  for (Index i = 0; i < n; ++i) {
    const double along = 20 * rng.uniform();
    const auto piece = static_cast<Index>(along);
    X.row(i) << along, 0.3 * rng.normal(), 0.3 * rng.normal();
    Y.row(i) = centers.row(piece) + Eigen::RowVector2d(rng.normal(), rng.normal());
    pieces.push_back(static_cast<int>(piece));
  }
  data.samples = X;
  data.labels = make_labels(pieces);
  return {data, Y};
}

// The smallest squared error is that of means, which fall between the pieces.
TEST(Auto, PlacesSamplesAmongTheRightNeighborsOnMapsWithClusters) {
  auto [data, Y] = scattered_pieces(400);
  for (const bool labelled : {true, false}) {
    if (!labelled) data.labels.reset();
    const Model model = extend_model(data, Y, {.extension = "auto"});
    EXPECT_EQ(*model.report.find_fact("extension_chosen"), "mode") << labelled;
    const std::string& mode = *model.report.find_fact("trial mode");
    EXPECT_TRUE(contains(mode, "neighbours kept")) << mode;
    EXPECT_EQ(contains(mode, "5-NN accuracy"), labelled) << mode;
    EXPECT_LT(error_in(*model.report.find_fact("trial codes"))->value, error_in(mode)->value);
  }
}

TEST(Own, IsTheDefaultOfExplicitMapsByItsName) {
  const Dataset data = roll(60);
  EXPECT_EQ(encode_archive(to_archive(fit_model(data, {.method = "pca", .extension = "own"}))),
            encode_archive(to_archive(fit_model(data, {.method = "pca"}))));
  const std::string text =
      message_of<InvalidArgument>([&] { (void)fit_model(data, {.method = "lle", .extension = "own"}); });
  EXPECT_TRUE(contains(text, "lle")) << text;
  EXPECT_TRUE(contains(text, "leave the extension out")) << text;
}

TEST(Own, IsComparedLikeAnyExtensionAndWithoutOne) {
  const Dataset data = roll(60);
  const Comparison both = compare_extensions(data, {.method = "pca"}, {"own", "lle"}, {.repeats = 2});
  ASSERT_EQ(both.rows.size(), 2U);
  EXPECT_EQ(both.rows[0].spec, "own");
  EXPECT_TRUE(both.rows[0].refusal.empty());
  EXPECT_LT(both.rows[0].placement.mean, both.rows[1].placement.mean);
  const Comparison alone = compare_extensions(data, {.method = "pca"}, {}, {.repeats = 2});
  ASSERT_EQ(alone.rows.size(), 1U);
  EXPECT_EQ(alone.rows[0].spec, "own");
  EXPECT_EQ(alone.rows[0].placement.mean, both.rows[0].placement.mean);
  const Comparison natural = compare_extensions(data, {.method = "isomap"}, {}, {.repeats = 2});
  ASSERT_EQ(natural.rows.size(), 1U);
  EXPECT_EQ(natural.rows[0].spec, "geodesic");
  const Comparison none = compare_extensions(data, {.method = "isomap"}, {"own"}, {.repeats = 2});
  EXPECT_TRUE(contains(none.rows[0].refusal, "isomap")) << none.rows[0].refusal;
}

}  // namespace
}  // namespace foldout
