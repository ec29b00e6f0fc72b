// SPDX-License-Identifier: Apache-2.0
// Private: specs and the fields that they set; how a misspelt word is answered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/fields.h"
#include "foldout/core/spec.h"

namespace foldout {

/// Assigns the spec's values to the fields. An unknown key lists what is allowed and suggests the nearest.
void apply(const ComponentSpec& spec, Fields fields);

/// "name:key=value,…" with every field written out: what the model file keeps.
[[nodiscard]] std::string spec_text(std::string_view name, const Fields& fields);

/// The word of `allowed` that `word` was most likely meant to be; empty if none is near.
[[nodiscard]] std::string nearest_spelling(std::string_view word, const std::vector<std::string_view>& allowed);

/// ", did you mean 'x'?" (or nothing) followed by "; allowed: a, b, c".
[[nodiscard]] std::string suggest(std::string_view word, const std::vector<std::string_view>& allowed);

}  // namespace foldout
