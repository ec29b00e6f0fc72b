// SPDX-License-Identifier: Apache-2.0
// The one spelling of every component: "name" or "name:key=value,key=value".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foldout/core/fields.h"

namespace [[gnu::visibility("default")]] foldout {

struct ComponentSpec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;

  /// Throws InvalidArgument where the text is not of that form or names a key twice.
  static ComponentSpec parse(std::string_view text);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const std::string* find(std::string_view key) const;
};

/// Assigns the spec's values to the fields. An unknown key lists what is allowed and suggests the nearest.
void apply(const ComponentSpec& spec, Fields fields);

/// "name:key=value,…" with every field written out: what the model file keeps.
[[nodiscard]] std::string spec_text(std::string_view name, const Fields& fields);

/// The word of `allowed` that `word` was most likely meant to be; empty if none is near.
[[nodiscard]] std::string nearest_spelling(std::string_view word, const std::vector<std::string_view>& allowed);

/// ", did you mean 'x'?" (or nothing) followed by "; allowed: a, b, c".
[[nodiscard]] std::string suggest(std::string_view word, const std::vector<std::string_view>& allowed);

}  // namespace foldout
