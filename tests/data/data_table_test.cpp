// SPDX-License-Identifier: Apache-2.0
#include "data/data_table.h"

#include <gtest/gtest.h>

#include "foldout/core/error.h"
#include "foldout/data/synthetic.h"

namespace foldout {
namespace {

TEST(DataTable, EveryEntryMakesItsData) {
  std::vector<std::string_view> names;
  for (const DataEntry& entry : data_table()) {
    names.push_back(entry.name);
    const SyntheticData data = make_data({std::string(entry.name), {}}, 6, 1);
    EXPECT_EQ(data.samples.rows(), 6) << entry.name;
    EXPECT_EQ(data.truth.rows(), 6) << entry.name;
    EXPECT_EQ(data.truth.cols(), static_cast<Index>(data.truth_columns.size())) << entry.name;
    EXPECT_TRUE(data.samples.allFinite() && data.truth.allFinite()) << entry.name;
    EXPECT_FALSE(entry.summary.empty());
    for (const Field& field : entry.fields()) EXPECT_FALSE(field.key().meaning.empty());
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"swiss_roll", "swiss_hole", "gaussian", "punctured_sphere", "s_curve",
                                                  "twin_peaks", "toroidal_helix", "faces"}));
}

TEST(DataTable, KeysReachTheMaker) {
  const SyntheticData data = make_data(ComponentSpec::parse("swiss_roll:p=2,noise=0.5"), 20, 3);
  EXPECT_EQ(data.samples, make_swiss_roll(20, 3, {.p = 2, .noise = 0.5}).samples);
  EXPECT_EQ(make_data(ComponentSpec::parse("faces:size=16,n_people=2"), 4).samples.cols(), 256);
}

TEST(DataTable, UnknownNamesGetASuggestion) {
  try {
    (void)make_data({"swis_roll", {}}, 5);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_TRUE(std::string(error.what()).find("did you mean 'swiss_roll'?") != std::string::npos) << error.what();
  }
  EXPECT_THROW((void)make_data(ComponentSpec::parse("s_curve:p=2"), 5), InvalidArgument);
}

}  // namespace
}  // namespace foldout
