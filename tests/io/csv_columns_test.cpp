// SPDX-License-Identifier: Apache-2.0
#include "io/csv_columns.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "io/csv.h"
#include "io/io_support.h"

namespace foldout {
namespace {

using io_test::expect_error;
using io_test::matrix;
using Texts = std::vector<std::string>;

struct Table {
  Matrix samples;
  Texts labels, ids, warnings;
  TableLayout layout;
  std::vector<SkippedRow> skipped;
};

Table read(const std::string& text, const ReadOptions& options = {}) {
  std::istringstream in(text);
  CsvReader reader(in, "a.csv", options);
  Table table;
  reader.next(table.samples, std::numeric_limits<Index>::max());
  table.labels = reader.labels();
  table.ids = reader.ids();
  table.warnings = reader.warnings();
  table.layout = reader.layout();
  table.skipped = reader.skipped();
  return table;
}

/// Rows "i/7,text" with a text of its own for each i (or two texts in turn).
std::string rows_of_text(int n, bool differ) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text += std::to_string(i / 7.0) + "," + (differ ? "2024-01-" + std::to_string(i) : i % 2 ? "cat" : "dog") + "\n";
  return text;
}

TEST(Columns, AColumnOfIdsIsNoFeature) {
  for (const char* name : {"id", "ID", "Unnamed: 0", ""}) {
    const Table table = read(std::string(name) + ",a,b\n7,1,2\n9,3,4\n");
    EXPECT_EQ(table.samples, matrix({{1, 2}, {3, 4}})) << name;
    EXPECT_EQ(table.ids, (Texts{"7", "9"})) << name;
    EXPECT_TRUE(table.labels.empty());
  }
}

TEST(Columns, ATextColumnWhoseCellsNearlyAllDifferIsIdsAndNotLabels) {
  const Table dates = read("a,date\n" + rows_of_text(30, true));
  EXPECT_TRUE(dates.labels.empty());
  EXPECT_EQ(dates.ids.size(), 30u);
  EXPECT_EQ(dates.ids[3], "2024-01-3");
  const Table pets = read("a,pet\n" + rows_of_text(30, false));
  EXPECT_TRUE(pets.ids.empty());
  EXPECT_EQ(pets.labels[1], "cat");
  EXPECT_EQ(read(rows_of_text(3, true)).labels.size(), 3u) << "three rows are too few to tell";
}

TEST(Columns, IdsAndLabelsCanBothBeText) {
  std::string text = "name,a,kind\n";
  for (int i = 0; i < 20; ++i)
    text += "s" + std::to_string(i) + "," + std::to_string(i * i) + (i % 3 ? ",x\n" : ",y\n");
  const Table table = read(text);
  EXPECT_EQ(table.samples.cols(), 1);
  EXPECT_EQ(table.ids[19], "s19");
  EXPECT_EQ(table.labels[0], "y");
}

TEST(Columns, CanBeChosenByNameOrPosition) {
  const std::string text = "a,digit,b,when\n1,7,2.5,3\n-3e2,8,4,5\n";
  const Matrix ab = matrix({{1, 2.5}, {-3e2, 4}});
  for (const char* digit : {"digit", "DIGIT", "2", "-3"})
    for (const char* when : {"when", "4", "-1"}) {
      const Table table = read(text, {.columns = {.label = digit, .id = when}});
      EXPECT_EQ(table.samples, ab) << digit << when;
      EXPECT_EQ(table.labels, (Texts{"7", "8"}));
      EXPECT_EQ(table.ids, (Texts{"3", "5"}));
      EXPECT_EQ(read(text, {.columns = {.drop = {digit, when}}}).samples, ab);
      EXPECT_EQ(read(text, {.columns = {.features = {"a", "b"}}}).samples, ab);
    }
  EXPECT_EQ(read("a,label\n1,2\n", {.columns = {.label = "none"}}).samples, matrix({{1, 2}}));
  EXPECT_EQ(read("id,a\n1,2\n", {.columns = {.id = "none"}}).samples, matrix({{1, 2}}));
  EXPECT_EQ(read("1,2,3\n", {.columns = {.label = "-1"}}).labels, (Texts{"3"}));
}

TEST(Columns, AnUnknownChoiceIsRefusedWithTheColumnsThereAre) {
  const auto choose = [](const ColumnChoice& choice, const std::string& text = "width,height\n1,2\n") {
    return [=] { (void)read(text, {.columns = choice}); };
  };
  expect_error(choose({.label = "hight"}), {"a.csv", "no column 'hight'", "height", "width, height"});
  expect_error(choose({.drop = {"3"}}), {"no column 3", "from 1 to 2"});
  expect_error(choose({.id = "name"}, "1,2\n"), {"no header", "'name'", "position"});
  expect_error(choose({.label = "width", .drop = {"width"}}), {"column 1 ('width')", "two roles"});
  expect_error(choose({.drop = {"width", "height"}}), {"at least one feature"});
}

TEST(Columns, WhatLooksLikeLabelsOrCountsRowsIsReported) {
  std::string text = "row,a,digit\n";
  for (int i = 0; i < 30; ++i)
    text += std::to_string(i) + "," + std::to_string(i * 0.37) + "," + std::to_string(i % 3) + "\n";
  const Table table = read(text);
  ASSERT_EQ(table.warnings.size(), 2u);
  EXPECT_NE(table.warnings[0].find("columns.id=row"), std::string::npos) << table.warnings[0];
  EXPECT_NE(table.warnings[1].find("columns.label=digit"), std::string::npos) << table.warnings[1];
  EXPECT_TRUE(read(text, {.columns = {.label = "digit", .id = "row"}}).warnings.empty());
  std::string bare;  // without names: few whole numbers at the end of others
  for (int i = 0; i < 40; ++i) bare += std::to_string(i * 0.37) + ",0.5," + std::to_string(i / 20) + "\n";
  ASSERT_EQ(read(bare).warnings.size(), 1u);
  EXPECT_NE(read(bare).warnings[0].find("columns.label=3"), std::string::npos);
}

TEST(Columns, AFirstRowWithAMistypedNumberIsReported) {
  const Table table = read("1O,2\n3,4\n5,6\n");
  ASSERT_EQ(table.warnings.size(), 1u);
  EXPECT_NE(table.warnings[0].find("'1O'"), std::string::npos);
  EXPECT_TRUE(read("time,2010\n1,2\n").warnings.empty());
}

TEST(Columns, OfNewSamplesAreMatchedByName) {
  const TableLayout like = read("a,b,digit,note\n1,2,7,x\n", {.columns = {.label = "digit", .drop = {"note"}}}).layout;
  const auto again = [&](const std::string& text, const ColumnChoice& choice = {}) {
    return read(text, {.columns = choice, .like = like});
  };
  const Table same = again("a,b,digit,note\n1,2,7,x\n");
  EXPECT_EQ(same.samples, matrix({{1, 2}}));
  EXPECT_EQ(same.labels, (Texts{"7"}));
  EXPECT_EQ(again("b,note,a\n2,x,1\n").samples, matrix({{1, 2}})) << "another order";
  EXPECT_EQ(again("b,a,species\n2,1,z\n").labels, (Texts{"z"})) << "a column of labels that the fit did not have";
  EXPECT_EQ(again("1,2\n").samples, matrix({{1, 2}})) << "no names to compare";
  EXPECT_EQ(again("1,2,7,x\n").samples, matrix({{1, 2}})) << "the same table without its header";
  EXPECT_EQ(again("a,b,c\n1,2,3\n", {.drop = {"c"}}).samples, matrix({{1, 2}}));
  expect_error([&] { (void)again("a,digit\n1,2\n"); }, {"no column 'b'", "features of the training samples"});
  expect_error([&] { (void)again("a,b,c\n1,2,3\n"); }, {"column 3 ('c')", "not a feature", "columns.drop=c"});
}

TEST(Columns, MissingValuesAreRefusedDroppedOrReplaced) {
  const std::string text = "a,b\n1,2\nNA,4\n5,\n7,8\n";
  expect_error([&] { (void)read(text); }, {"line 3, column 1 ('a')", "'NA'"});
  const Table dropped = read(text, {.missing = MissingValues::kDrop});
  EXPECT_EQ(dropped.samples, matrix({{1, 2}, {7, 8}}));
  ASSERT_EQ(dropped.skipped.size(), 2u);
  EXPECT_EQ(dropped.skipped[1].place, "line 4");
  const Table filled = read(text, {.missing = MissingValues::kMean, .fill = Vector{{10, 20}}});
  EXPECT_EQ(filled.samples, matrix({{1, 2}, {10, 4}, {5, 20}, {7, 8}}));
}

TEST(Columns, BadRowsCanBeSkippedAndAreListed) {
  const Table table = read("a,label\n1,x\n2\n3,\n4x,y\n5,y\n", {.skip_bad = true});
  EXPECT_EQ(table.samples, matrix({{1}, {5}}));
  EXPECT_EQ(table.labels, (Texts{"x", "y"}));
  ASSERT_EQ(table.skipped.size(), 3u);
  EXPECT_EQ(table.skipped[0].place, "line 3");
  EXPECT_NE(table.skipped[2].reason.find("'4x'"), std::string::npos);
}

}  // namespace
}  // namespace foldout
