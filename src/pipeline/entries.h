// SPDX-License-Identifier: Apache-2.0
// Private: how an options struct becomes the functions of a table row.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "foldout/pipeline/component_table.h"

namespace foldout {

template <class Options>
[[nodiscard]] std::vector<KeyInfo> keys_of() {
  Options options;
  return describe_keys(fields(options));
}

[[nodiscard]] inline std::vector<KeyInfo> no_keys() { return {}; }

template <class Options>
[[nodiscard]] Options options_from(const ComponentSpec& spec) {
  Options options;
  apply(spec, fields(options));
  return options;
}

/// The spec with every key written out; what is wrong with it is told here, before any work.
template <class Options>
[[nodiscard]] std::string complete_with(const ComponentSpec& spec) {
  auto options = options_from<Options>(spec);
  return spec_text(spec.name, fields(options));
}

[[nodiscard]] inline std::string complete_without_keys(const ComponentSpec& spec) {
  apply(spec, {});
  return spec.name;
}

/// The row of that name, or InvalidArgument "<kind> 'x' is not known, did you mean …".
template <class Entry>
[[nodiscard]] const Entry& find_entry(std::span<const Entry> table, std::string_view name, std::string_view kind) {
  const auto it = std::ranges::find(table, name, &Entry::name);
  if (it != table.end()) return *it;
  std::vector<std::string_view> names;
  for (const Entry& entry : table) names.push_back(entry.name);
  throw InvalidArgument(std::string(kind) + " '" + std::string(name) + "' is not known" + suggest(name, names));
}

}  // namespace foldout
