// SPDX-License-Identifier: Apache-2.0
#include "core/spec_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "foldout/core/error.h"

namespace foldout {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

bool is_separator(char c) { return c == '_' || c == '-'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), [](char c) { return lower(c); });
  return text;
}

// "lle,n_neighbors=5", "lle n_neighbors=5" and "lle(n_neighbors=5)" as "lle:n_neighbors=5".
std::string with_colon(std::string_view text, std::size_t name_length) {
  std::string keys(text.substr(name_length + 1));
  std::erase_if(keys, [](char c) { return c == ' ' || c == ')'; });
  return fmt::format("{}:{}", text.substr(0, name_length), keys.find('=') != std::string::npos ? keys : "key=value");
}

// Names of keys in other programs.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"random_state", "seed"}, {"eps", "radius"}, {"dim", "n_components"}, {"n_dims", "n_components"}};

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  const auto folded = [](std::string_view word) {
    std::string text = lower(word);
    std::erase_if(text, is_separator);
    return text;
  };
  return folded(a) == folded(b);
}

ComponentSpec ComponentSpec::parse(std::string_view text) {
  ComponentSpec spec;
  const std::size_t colon = text.find(':');
  if (const std::size_t stop = text.find_first_of(",( "); stop < colon && stop > 0)
    throw InvalidArgument(fmt::format("'{}' lacks the colon after the name: write {}", text, with_colon(text, stop)));
  spec.name = text.substr(0, colon);
  if (spec.name.empty())
    throw InvalidArgument(fmt::format("'{}' does not name a component: write name or name:key=value,key=value", text));
  if (colon == std::string_view::npos) return spec;
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view pair = rest.substr(0, comma);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == pair.size())
      throw InvalidArgument(
          fmt::format("'{}' in '{}' is not of the form key=value: write name:key=value,key=value", pair, text));
    std::string key(pair.substr(0, equals));
    if (spec.find(key)) throw InvalidArgument(fmt::format("'{}' gives {} twice: keep one", text, key));
    spec.values.emplace_back(std::move(key), pair.substr(equals + 1));
    if (comma == std::string_view::npos) return spec;
    rest = rest.substr(comma + 1);
  }
}

std::string ComponentSpec::text() const {
  std::string text = name;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? ':' : ',', values[i].first, values[i].second);
  return text;
}

const std::string* ComponentSpec::find(std::string_view key) const {
  const auto it = std::ranges::find(values, key, [](const auto& v) -> std::string_view { return v.first; });
  return it == values.end() ? nullptr : &it->second;
}

void apply(const ComponentSpec& spec, Fields fields) {
  for (const auto& [key, value] : spec.values) {
    const auto field = std::ranges::find(fields, key, [](const Field& f) { return f.key().name; });
    if (field == fields.end()) {
      std::vector<std::string_view> names;
      for (const Field& f : fields) names.push_back(f.key().name);
      const std::string meant = meant_key(key, fields);
      throw InvalidArgument(
          fmt::format("{} has no key '{}'{}", spec.name, key, suggest(meant.empty() ? key : meant, names)));
    }
    try {
      field->set(value);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("{}: {}", spec.name, error.what()));
    }
  }
}

std::string spec_text(std::string_view name, const Fields& fields) {
  ComponentSpec spec{std::string(name), {}};
  for (const Field& field : fields)
    if (!field.text().empty()) spec.values.emplace_back(field.key().name, field.text());
  return spec.text();
}

std::string nearest_spelling(std::string_view word, const std::vector<std::string_view>& allowed) {
  std::string_view best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  const std::string given = lower(word);
  for (const std::string_view candidate : allowed)
    if (const std::size_t distance = edit_distance(given, lower(candidate)); distance < least) {
      least = distance;
      best = candidate;
    }
  const bool near = least <= std::max<std::size_t>(2, best.size() / 3);
  if (near) return std::string(best);
  for (const std::string_view candidate : allowed)  // an abbreviation: "laplacian"
    if (given.size() >= 3 && lower(candidate).starts_with(given)) return std::string(candidate);
  return {};
}

std::string meant_key(std::string_view word, const Fields& fields) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(fields, [&](const Field& field) { return field.key().name == name; });
  };
  for (const Field& field : fields)
    if (!word.empty() && lower(field.key().symbol) == lower(word)) return std::string(field.key().name);
  for (const auto& [other, name] : kOtherNames)
    if (same_name(other, word) && has(name)) return std::string(name);
  return {};
}

std::string suggest(std::string_view word, const std::vector<std::string_view>& allowed) {
  if (allowed.empty()) return ": it takes no keys";
  const std::string nearest = nearest_spelling(word, allowed);
  return fmt::format("{}; allowed: {}", nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
                     fmt::join(allowed, ", "));
}

}  // namespace foldout
