// SPDX-License-Identifier: Apache-2.0
// Codes selected by held-out samples.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "extend/code_choice.h"
#include "foldout/core/dataset.h"
#include "foldout/model/model.h"
#include "model/on_atoms.h"
#include "support/datasets.h"
#include "support/errors.h"

namespace foldout {
namespace {

TEST(ValidatedCodes, ValidatesTheNumberOfAtomsInACode) {
  Dataset data = roll_data(2500);
  const Model labelled = fit_model(data, with("lcdl:n_atoms=400", "hessian_lle:n_neighbors=8"));
  EXPECT_TRUE(contains(*labelled.report.find_fact("coding_tau_chosen"), "accuracy"));
  data.labels.reset();
  for (const std::string seed : {"0", "1", "2", "3"}) {
    const Model plain = fit_model(data, with("lcdl:n_atoms=400,seed=" + seed, "hessian_lle:n_neighbors=8"));
    ASSERT_TRUE(contains(*plain.report.find_fact("coding_tau_chosen"), "placement_error"));
    // On a surface, a few more atoms than the paper's 2 place much better, very many worse.
    EXPECT_LE(*plain.report.find_figure("placement_error_tau_008"), 0.005);
    EXPECT_GE(*plain.report.find_figure("placement_error_tau_002"), 0.03);
    const double chosen = *plain.report.find_figure("coding_tau");
    EXPECT_GE(chosen, 3);
    EXPECT_LE(chosen, 32);
    EXPECT_TRUE(plain.spec.extension.text().starts_with(
        fmt::format("codes:coding_tau={},locality={},ridge=0.0", chosen, *plain.report.find_figure("locality"))));
  }
}

// The λ that places held-out samples best is used for learning and placement.
TEST(ValidatedCodes, ValidatesTheLocality) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"lle:n_neighbors=10", "lcdl:n_atoms=60,atom_coordinates=samples,locality="},
      {"pca:n_components=3", "lcdl:n_atoms=60,locality="},
      {"pca", "kmeans:n_atoms=60,locality="}};
  for (const bool labels : {true, false}) {
    Dataset data = roll_data(400);
    if (!labels) data.labels.reset();
    for (const auto& [method, keys] : cases) {
      const Model model = fit_model(data, with(keys + "auto", method));
      const std::string measure = labels ? "accuracy_locality_" : "placement_error_locality_";
      const double* chosen = model.report.find_figure("locality");
      ASSERT_TRUE(chosen && model.report.find_fact("locality_chosen")) << keys;
      const auto worth = [&](double l) { return *model.report.find_figure(measure + fmt::format("{:g}", l)); };
      for (const double other : coding_localities()) {
        EXPECT_GE(labels ? worth(*chosen) - worth(other) : 1.01 * worth(other) - worth(*chosen), 0) << keys << other;
      }
      const auto tau = static_cast<int>(*model.report.find_figure("coding_tau"));
      const Model given = fit_model(data, with(fmt::format("{}{},coding_tau={}", keys, *chosen, tau), method));
      EXPECT_TRUE(dataset::same_bits(model.coordinates, given.coordinates)) << keys;
      EXPECT_EQ(model.spec.extension.text(), given.spec.extension.text());
    }
  }
}

// Without placement by codes, λ cannot be selected.
TEST(ValidatedCodes, LearnsWithTheDefaultLocalityForOtherExtensions) {
  const Dataset data = roll_data(400);
  const auto placed = [&](const std::string& keys) {
    return fit_model(data, with("lcdl:n_atoms=60" + keys, "pca", "lvm"));
  };
  EXPECT_FALSE(placed("").report.find_fact("locality_chosen"));
  EXPECT_TRUE(dataset::same_bits(placed("").coordinates, placed(",locality=0.1").coordinates));
  EXPECT_FALSE(dataset::same_bits(placed("").coordinates, placed(",locality=3").coordinates));
}

TEST(ValidatedCodes, LocalityOfPlacementAndOfLearningAreSeparate) {
  Dataset data = roll_data(600);
  data.labels.reset();
  const auto map = [&](const std::string& locality, const std::string& extension) {
    return fit_model(data, with("lcdl:n_atoms=120,coding_tau=4,locality=" + locality, "pca", extension));
  };
  const Model placed = map("0.5", "codes:locality=auto"), both = map("auto", "codes:locality=0.5");
  EXPECT_TRUE(contains(*placed.report.find_fact("locality_chosen"), "placement_error"));
  EXPECT_FALSE(both.report.find_fact("locality_chosen")) << "the value given to the extension applies to both";
  EXPECT_TRUE(dataset::same_bits(both.coordinates, map("0.5", "").coordinates));
}

// With so few atoms the roll folds: together with other samples the atoms get another embedding.
TEST(ValidatedCodes, ReportsAnUnsettledEmbedding) {
  Dataset data = roll_data(600);
  data.labels.reset();
  EXPECT_TRUE(
      fit_model(data, with("lcdl:n_atoms=100", "hessian_lle:n_neighbors=8")).report.has_note("embedding_unsettled"));
  EXPECT_FALSE(fit_model(data, with("lcdl:n_atoms=100", "isomap")).report.has_note("embedding_unsettled"));
}

TEST(ValidatedCodes, LeavesAtomsOutIfNoSamplesCanBeHeldOut) {
  const Dataset few = dataset::labelled(dataset::roll(12));
  const Model model = fit_model(few, with("lcdl:n_atoms=12", "lle:n_neighbors=10"));
  EXPECT_TRUE(model.report.has_note("coding_tau_from_atoms"));
  EXPECT_TRUE(contains(*model.report.find_fact("coding_tau_chosen"), "left-out"));
  EXPECT_TRUE(contains(*model.report.find_fact("locality_chosen"), "left-out"));
  EXPECT_TRUE(model.coordinates.allFinite());
}

TEST(ValidatedCodes, SelectsTheMiddleOfEquallyGoodNumbers) {
  Dataset data;
  data.samples = dataset::roll(400);
  data.labels = make_labels(std::vector<std::string>(400, "one"));
  const Model model = fit_model(data, with("lcdl:n_atoms=60"));
  EXPECT_GE(*model.report.find_figure("coding_tau"), 4);
}

}  // namespace
}  // namespace foldout
