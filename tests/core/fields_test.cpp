// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/fields.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <locale>

#include "core/keys.h"
#include "foldout/core/error.h"
#include "support/errors.h"

namespace foldout {

enum class Color { kRed, kGreen, kBlue };
template <>
inline constexpr auto kNames<Color> = std::array<std::string_view, 3>{"red", "green", "blue"};

namespace {

std::string failure(Field field, const std::string& text) {
  return message_of<InvalidArgument>([&] { field.set(text); });
}

TEST(Field, ReadsIntegers) {
  int value = 5;
  Field field({"count", "how many"}, value);
  EXPECT_EQ(field.type(), "integer");
  for (const auto& [text, expected] : {std::pair{"7", 7}, {"-3", -3}, {"0", 0}, {"2147483647", 2147483647}}) {
    field.set(text);
    EXPECT_EQ(value, expected);
    EXPECT_EQ(field.text(), text);
  }
  for (const char* bad : {"x", "1.5", "1e3", " 1", "1 ", "+1", "0x10", "2147483648", "--1", "1,2"})
    EXPECT_EQ(failure(field, bad), std::string("count = '") + bad + "' must be a whole number") << bad;
  EXPECT_EQ(failure(field, ""), "count has no value: write count=VALUE");
}

TEST(Field, ReadsSeeds) {
  std::uint64_t value = 0;
  Field field(key::seed, value);
  field.set("18446744073709551615");
  EXPECT_EQ(value, ~std::uint64_t{0});
  EXPECT_EQ(field.text(), "18446744073709551615");
  EXPECT_EQ(failure(field, "-1"), "seed = '-1' must be a whole number ≥ 0");
  EXPECT_EQ(failure(field, "18446744073709551616"), "seed = '18446744073709551616' must be a whole number ≥ 0");
}

TEST(Field, ReadsNumbersExactly) {
  double value = 0;
  Field field({"size", "of it"}, value);
  EXPECT_EQ(field.type(), "number");
  for (const double exact : {0.1, 1e-300, -2.5, 1.0 / 3, 5e-324, 1.7976931348623157e308}) {
    value = exact;
    const std::string text = field.text();
    value = 0;
    field.set(text);
    EXPECT_EQ(value, exact);
  }
  for (const char* bad : {"x", "1.5x", "1,5", "", " 2", "1e999"}) EXPECT_FALSE(failure(field, bad).empty()) << bad;
  for (const char* bad : {"nan", "inf", "-inf"})
    EXPECT_EQ(failure(field, bad), std::string("size = '") + bad + "' must be finite");
}

TEST(Field, ReadsBooleans) {
  bool value = false;
  Field field({"flag", "on or off"}, value);
  EXPECT_EQ(field.type(), "boolean");
  EXPECT_EQ(field.range(), "true | false");
  for (const char* yes : {"true", "1", "yes"}) {
    value = false;
    field.set(yes);
    EXPECT_TRUE(value);
  }
  for (const char* no : {"false", "0", "no"}) {
    value = true;
    field.set(no);
    EXPECT_FALSE(value);
  }
  EXPECT_EQ(field.text(), "false");
  EXPECT_EQ(failure(field, "maybe"), "flag = 'maybe' must be true or false");
}

TEST(Field, ReadsAuto) {
  std::optional<double> width = 3.0;
  std::optional<int> count = 3;
  Field number(key::width, width), integer({"count", "how many", "", 2}, count);
  EXPECT_EQ(number.type(), "number or auto");
  EXPECT_EQ(integer.type(), "integer or auto");
  number.set("auto");
  integer.set("auto");
  EXPECT_FALSE(width);
  EXPECT_FALSE(count);
  EXPECT_EQ(number.text(), "auto");
  EXPECT_EQ(integer.text(), "auto");
  number.set("0.25");
  integer.set("4");
  EXPECT_EQ(width, 0.25);
  EXPECT_EQ(count, 4);
  EXPECT_EQ(failure(integer, "few"), "count = 'few' must be a whole number or auto");
  EXPECT_EQ(failure(integer, "1"), "count = 1 must be ≥ 2");
  EXPECT_TRUE(contains(failure(number, "0"), "width = 0 must be > 0"));
  EXPECT_FALSE(failure(number, "automatic").empty());
}

TEST(Field, ReadsChoicesAndSuggests) {
  Color value = Color::kRed;
  Field field({"color", "of the thing"}, value);
  EXPECT_EQ(field.type(), "choice");
  EXPECT_EQ(field.range(), "red | green | blue");
  EXPECT_EQ(field.choices().size(), 3U);
  field.set("blue");
  EXPECT_EQ(value, Color::kBlue);
  EXPECT_EQ(field.text(), "blue");
  field.set("GREEN");
  EXPECT_EQ(field.text(), "green");
  field.set("Blue");
  EXPECT_EQ(failure(field, "gren"), "color = 'gren' is not known, did you mean 'green'?; allowed: red, green, blue");
  EXPECT_EQ(failure(field, "ultraviolet"), "color = 'ultraviolet' is not known; allowed: red, green, blue");
  EXPECT_EQ(value, Color::kBlue);
}

TEST(Field, ReadsText) {
  std::string value;
  Field field({"name", "of it"}, value);
  field.set("a=b c");
  EXPECT_EQ(value, "a=b c");
  EXPECT_EQ(field.type(), "text");
}

TEST(Field, ReadsACountOrAFraction) {
  ComponentCount count = 2;
  std::optional<ComponentCount> maybe;
  const Key key{"n_components", "", "d", 1};
  Field field(key, count), optional(key, maybe);
  EXPECT_EQ(field.text(), "2");
  field.set("0.95");
  EXPECT_EQ(count, ComponentCount(0.95));
  EXPECT_EQ(field.text(), "0.95");
  field.set("1");
  EXPECT_EQ(count, ComponentCount(1));
  optional.set("0.5");
  EXPECT_EQ(maybe, ComponentCount(0.5));
  optional.set("auto");
  EXPECT_FALSE(maybe);
  EXPECT_EQ(optional.text(), "auto");
  EXPECT_EQ(field.type(), "integer or fraction");
  EXPECT_EQ(failure(field, "0"), "n_components = 0 must be ≥ 1, or between 0 and 1");
  EXPECT_EQ(failure(field, "-3"), "n_components = -3 must be ≥ 1, or between 0 and 1");
  EXPECT_EQ(failure(field, "1.5"), "n_components = 1.5 must be a whole number ≥ 1, or between 0 and 1");
  EXPECT_EQ(failure(field, "-0.5"), "n_components = -0.5 must be a whole number ≥ 1, or between 0 and 1");
  for (const std::string text : {"1.0", "0.0", "2.0"})
    EXPECT_TRUE(contains(failure(field, text), "must be a whole number without a point, or a fraction")) << text;
  count = 1.0;
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              check_fields({{key, count}}, "pca");
            }),
            "pca: n_components = 1.0 must be a whole number ≥ 1, or between 0 and 1");
}

// A choice may be open to some components only.
TEST(Field, RefusesWhatAnotherComponentAccepts) {
  Color color = Color::kRed;
  const Key key{.name = "color", .meaning = "", .elsewhere = "blue is for skies"};
  Field field(key, color, 1);
  EXPECT_EQ(field.range(), "red");
  EXPECT_EQ(failure(field, "blue"), "color = blue is not possible here: blue is for skies; allowed: red");
  EXPECT_TRUE(contains(failure(field, "pink"), "is not known"));
  color = Color::kBlue;
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              check_fields({{key, color, 1}}, "wall");
            }),
            "wall: color = blue is not possible here: blue is for skies; allowed: red");
}

TEST(Field, ChecksItsRange) {
  int k = 1;
  double part = 0.5, above = 1, below = 0;
  EXPECT_EQ(failure(Field(key::n_neighbors, k), "0"), "n_neighbors = 0 must be ≥ 1");
  EXPECT_EQ(failure(Field({"part", "", "", 0, 1}, part), "1.5"), "part = 1.5 must be 0 … 1");
  EXPECT_EQ(failure(Field({"above", "", "", 0, std::numeric_limits<double>::infinity(), true}, above), "0"),
            "above = 0 must be > 0");
  EXPECT_EQ(failure(Field({"below", "", "", -std::numeric_limits<double>::infinity(), 2}, below), "3"),
            "below = 3 must be ≤ 2");
  Field unbounded({"any", ""}, part);
  EXPECT_EQ(unbounded.range(), "");
}

TEST(Field, ChecksWhatTheProgramAssigned) {
  int k = -4;
  double size = std::nan("");
  std::optional<double> width = -1.0;
  const Fields fields{{key::n_neighbors, k}};
  EXPECT_EQ(message_of<InvalidArgument>([&] { check_fields(fields, "lle"); }), "lle: n_neighbors = -4 must be ≥ 1");
  EXPECT_THROW(check_fields({{Key{"size", "", "", 0}, size}}, "x"), InvalidArgument);
  EXPECT_THROW(check_fields({{key::width, width}}, "x"), InvalidArgument);
  width.reset();
  EXPECT_NO_THROW(check_fields({{key::width, width}}, "x"));
}

TEST(NameOf, IsTheWordOfTheEnumerator) {
  EXPECT_EQ(name_of(Color::kRed), "red");
  EXPECT_EQ(name_of(Color::kBlue), "blue");
}

}  // namespace
}  // namespace foldout
