// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/dataset.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include "core/numbers.h"

namespace foldout {
namespace {

/// The value of an integer in canonical form: no '+', no leading zeros.
std::optional<std::int64_t> as_integer(const std::string& text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || std::to_string(value) != text) return std::nullopt;
  return value;
}

/// The integer form of a whole number written as a real: "3.0" or "3e0".
std::optional<std::string> as_whole_number(const std::string& text) {
  if (text.find_first_of(".eE") == std::string::npos || !is_number(text)) return std::nullopt;
  double value = 0;
  (void)parse_number(text.data(), text.data() + text.size(), value);
  if (!(std::abs(value) < 0x1p53) || value != std::floor(value)) return std::nullopt;
  return std::to_string(static_cast<std::int64_t>(value));
}

}  // namespace

std::vector<std::string> Labels::texts() const {
  std::vector<std::string> all;
  for (Index i = 0; i < size(); ++i) all.push_back(text(i));
  return all;
}

Labels make_labels(const std::vector<std::string>& per_sample) {
  std::map<std::string, std::string> spelling;  // distinct texts and their names
  for (const std::string& text : per_sample) spelling.emplace(text, text);
  const bool whole = std::ranges::all_of(spelling, [](const auto& s) { return as_whole_number(s.first).has_value(); });
  Labels labels;
  for (auto& [text, name] : spelling) {
    if (whole) name = *as_whole_number(text);
    labels.names.push_back(name);
  }
  std::ranges::sort(labels.names);
  labels.names.erase(std::unique(labels.names.begin(), labels.names.end()), labels.names.end());
  labels.integers = !labels.names.empty() &&
                    std::ranges::all_of(labels.names, [](const auto& name) { return as_integer(name).has_value(); });
  if (labels.integers) std::ranges::sort(labels.names, {}, [](const std::string& name) { return *as_integer(name); });
  std::map<std::string_view, int> position;
  for (std::size_t i = 0; i < labels.names.size(); ++i) position[labels.names[i]] = static_cast<int>(i);
  for (const std::string& text : per_sample) labels.index.push_back(position.at(spelling.at(text)));
  return labels;
}

Labels make_labels(std::span<const int> per_sample) {
  std::vector<std::string> texts;
  texts.reserve(per_sample.size());
  for (const int label : per_sample) texts.push_back(std::to_string(label));
  return make_labels(texts);
}

std::string TableLayout::name_of(ColumnRole role) const {
  const auto found = std::ranges::find(roles, role);
  if (found == roles.end()) return {};
  const auto at = static_cast<std::size_t>(found - roles.begin());
  return names.empty() || names[at].empty() ? "column " + std::to_string(at + 1) : names[at];
}

std::vector<std::string> TableLayout::feature_names() const {
  std::vector<std::string> features;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (roles[i] == ColumnRole::kFeature) features.push_back(names[i]);
  return features;
}

}  // namespace foldout
