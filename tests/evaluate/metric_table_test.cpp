// SPDX-License-Identifier: Apache-2.0
#include "evaluate/metric_table.h"

#include <gtest/gtest.h>

#include "evaluate/example.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

TEST(MetricTable, ContainsEveryMetricOnce) {
  std::vector<std::string_view> names;
  for (const MetricEntry& entry : metric_table()) {
    names.push_back(entry.name);
    EXPECT_NE(entry.of_matrices == nullptr, entry.of_labels == nullptr) << entry.name;
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
  }
  EXPECT_EQ(names,
            (std::vector<std::string_view>{"procrustes", "alignment", "placement", "local_procrustes", "rmse",
                                           "trustworthiness", "continuity", "neighbor_overlap", "intrinsic_dimension",
                                           "two_neighbor_dimension", "accuracy", "clustering_error"}));
}

TEST(MetricTable, ScoresByName) {
  const Example e;
  EXPECT_NEAR(score(find_metric("trustworthiness"), {e.X, e.Y}, {.n_neighbors = 12}), 0.8826639892904953, 1e-12);
  EXPECT_NEAR(score(find_metric("continuity"), {e.X, e.Y}, {.n_neighbors = 12}), 0.898293172690763, 1e-12);
  EXPECT_NEAR(score(find_metric("placement"), {e.X, e.X, e.X, e.X}), 0, 1e-14);
  EXPECT_DOUBLE_EQ(find_metric("accuracy").of_labels({"a", "b"}, {"a", "c"}), 0.5);
}

TEST(MetricTable, UnknownNamesAndWrongNumbersOfInputsAreNamed) {
  const Example e;
  try {
    (void)find_metric("trustworthyness");
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'trustworthiness'?"), std::string::npos) << error.what();
  }
  EXPECT_THROW((void)score(find_metric("placement"), {e.X, e.Y}), InvalidArgument);
  EXPECT_THROW((void)score(find_metric("accuracy"), {e.X, e.Y}), InvalidArgument);
}

}  // namespace
}  // namespace foldout
