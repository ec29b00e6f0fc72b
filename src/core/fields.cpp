// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/numbers.h"
#include "core/spec_fields.h"
#include "foldout/core/error.h"

namespace foldout {
namespace {

template <class... Fs>
struct Overload : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overload(Fs...) -> Overload<Fs...>;

template <class Number>
Number parse_number(const Key& key, std::string_view text, std::string_view kind) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw InvalidArgument(fmt::format("{} = '{}' must be {}", key.name, text, kind));
  return value;
}

double parse_double(const Key& key, std::string_view text) {
  const auto value = parse_number<double>(key, text, "a number");
  if (!std::isfinite(value)) throw InvalidArgument(fmt::format("{} = '{}' must be finite", key.name, text));
  return value;
}

// Whole numbers are counts, others fractions; 1.0 could be meant as either.
ComponentCount parse_count(const Key& key, std::string_view text) {
  constexpr std::string_view kKind = "a whole number, or a fraction between 0 and 1";
  if (text.find_first_not_of("+-0123456789") == std::string_view::npos) return parse_number<int>(key, text, kKind);
  const auto value = parse_number<double>(key, text, kKind);
  if (value == std::floor(value))
    throw InvalidArgument(
        fmt::format("{} = '{}' must be a whole number without a point, or a fraction between 0 and 1", key.name, text));
  return value;
}

bool parse_bool(const Key& key, std::string_view text) {
  const auto is = [text](std::string_view word) { return same_name(text, word); };
  if (is("true") || text == "1" || is("yes")) return true;
  if (is("false") || text == "0" || is("no")) return false;
  throw InvalidArgument(fmt::format("{} = '{}' must be true or false", key.name, text));
}

}  // namespace

std::string_view Field::type() const {
  return std::visit(
      Overload{[](const int*) { return "integer"; }, [](const std::uint64_t*) { return "integer"; },
               [](const double*) { return "number"; }, [](const bool*) { return "boolean"; },
               [](const std::string*) { return "text"; }, [](const std::optional<double>*) { return "number or auto"; },
               [this](const std::optional<int>*) {
                 return key_.nothing == "all"    ? "integer or all"
                        : key_.nothing == "none" ? "integer or none"
                                                 : "integer or auto";
               },
               [](const ComponentCount*) { return "integer or fraction"; },
               [](const std::optional<ComponentCount>*) { return "integer, fraction or auto"; },
               [](const Choice&) { return "choice"; }},
      target_);
}

std::vector<std::string_view> Field::choices() const {
  const auto* choice = std::get_if<Choice>(&target_);
  return choice ? choice->words : std::vector<std::string_view>{};
}

std::string Field::range() const {
  if (const auto words = choices(); !words.empty()) return fmt::format("{}", fmt::join(words, " | "));
  if (std::holds_alternative<bool*>(target_)) return "true | false";
  const bool has_min = std::isfinite(key_.min), has_max = std::isfinite(key_.max);
  std::string range;
  if (has_min && has_max)
    range = fmt::format("{}{} … {}", key_.min_excluded ? "> " : "", key_.min, key_.max);
  else if (has_min)
    range = fmt::format("{} {}", key_.min_excluded ? ">" : "≥", key_.min);
  else if (has_max)
    range = fmt::format("≤ {}", key_.max);
  if (std::holds_alternative<ComponentCount*>(target_) ||
      std::holds_alternative<std::optional<ComponentCount>*>(target_))
    range += ", or between 0 and 1";
  return range;
}

std::string Field::text() const {
  return std::visit(
      Overload{[](const bool* v) { return std::string(*v ? "true" : "false"); },
               [](const std::string* v) { return *v; },
               [](const std::optional<double>* v) { return *v ? fmt::format("{}", **v) : std::string("auto"); },
               [this](const std::optional<int>* v) { return *v ? fmt::format("{}", **v) : std::string(key_.nothing); },
               [](const ComponentCount* v) { return fmt::format("{}", v->value()); },
               [this](const std::optional<ComponentCount>* v) {
                 return *v ? fmt::format("{}", (*v)->value()) : std::string(key_.nothing);
               },
               [](const Choice& c) {
                 return std::string(c.get() < c.words.size() ? c.words[c.get()] : c.others[c.get() - c.words.size()]);
               },
               [](const auto* v) { return fmt::format("{}", *v); }},
      target_);
}

void Field::set(std::string_view text) {
  if (text.empty()) throw InvalidArgument(fmt::format("{} has no value: write {}=VALUE", key_.name, key_.name));
  std::visit(Overload{[&](int* v) { *v = parse_number<int>(key_, text, "a whole number"); },
                      [&](std::uint64_t* v) { *v = parse_number<std::uint64_t>(key_, text, "a whole number ≥ 0"); },
                      [&](double* v) { *v = parse_double(key_, text); }, [&](bool* v) { *v = parse_bool(key_, text); },
                      [&](std::string* v) { *v = text; },
                      [&](std::optional<double>* v) {
                        if (same_name(text, "auto"))
                          v->reset();
                        else
                          *v = parse_double(key_, text);
                      },
                      [&](std::optional<int>* v) {
                        if (same_name(text, key_.nothing))
                          v->reset();
                        else
                          *v = parse_number<int>(key_, text, fmt::format("a whole number or {}", key_.nothing));
                      },
                      [&](ComponentCount* v) { *v = parse_count(key_, text); },
                      [&](std::optional<ComponentCount>* v) {
                        if (text == key_.nothing)
                          v->reset();
                        else
                          *v = parse_count(key_, text);
                      },
                      [&](Choice& c) {
                        for (std::size_t i = 0; i < c.words.size(); ++i)
                          if (same_name(c.words[i], text)) return c.set(i);
                        if (std::ranges::any_of(c.others, [&](std::string_view word) { return same_name(word, text); }))
                          refuse("", text);
                        throw InvalidArgument(
                            fmt::format("{} = '{}' is not known{}", key_.name, text, suggest(text, c.words)));
                      }},
             target_);
  check("");
}

void Field::check(std::string_view owner) const {
  const auto check_optional = [&](const auto& value) {
    if (value) check_range(static_cast<double>(*value), owner);
  };
  if (const auto* v = std::get_if<int*>(&target_)) check_range(**v, owner);
  if (const auto* v = std::get_if<double*>(&target_)) check_range(**v, owner);
  if (const auto* v = std::get_if<std::optional<double>*>(&target_)) check_optional(**v);
  if (const auto* v = std::get_if<std::optional<int>*>(&target_)) check_optional(**v);
  if (const auto* v = std::get_if<ComponentCount*>(&target_)) check_count(**v, owner);
  if (const auto* v = std::get_if<std::optional<ComponentCount>*>(&target_); v && **v) check_count(***v, owner);
  if (const auto* c = std::get_if<Choice>(&target_); c && c->get() >= c->words.size()) refuse(owner, text());
}

void Field::refuse(std::string_view owner, std::string_view word) const {
  throw InvalidArgument(fmt::format("{}{}{} = {} is not possible here: {}; allowed: {}", owner,
                                    owner.empty() ? "" : ": ", key_.name, word, key_.elsewhere,
                                    fmt::join(choices(), ", ")));
}

void Field::check_count(const ComponentCount& value, std::string_view owner) const {
  if (!value.is_fraction()) return check_range(value.value(), owner);
  if (value.value() > 0 && value.value() < 1) return;
  throw InvalidArgument(fmt::format("{}{}{} = {:#} must be a whole number {}", owner, owner.empty() ? "" : ": ",
                                    key_.name, value.value(), range()));
}

void Field::check_range(double value, std::string_view owner) const {
  const bool above = key_.min_excluded ? value > key_.min : value >= key_.min;
  if (above && value <= key_.max) return;  // false for NaN
  throw InvalidArgument(
      fmt::format("{}{}{} = {} must be {}", owner, owner.empty() ? "" : ": ", key_.name, value, range()));
}

void check_fields(const Fields& fields, std::string_view owner) {
  for (const Field& field : fields) field.check(owner);
}

}  // namespace foldout
