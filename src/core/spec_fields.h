// SPDX-License-Identifier: Apache-2.0
// Private: assigns specs to fields and suggests corrections of misspelt words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/fields.h"
#include "foldout/core/spec.h"

namespace foldout {

/// Assigns the spec's values to the fields. The error for an unknown key lists the allowed ones and suggests the
/// nearest.
void apply(const ComponentSpec& spec, Fields fields);

/// "name:key=value,…" with every field written out, as stored in the model file.
[[nodiscard]] std::string spec_text(std::string_view name, const Fields& fields);

/// The word of `allowed` that `word` was most likely meant to be; empty if none is near.
[[nodiscard]] std::string nearest_spelling(std::string_view word, const std::vector<std::string_view>& allowed);

/// ", did you mean 'x'?" (or nothing) followed by "; allowed: a, b, c".
[[nodiscard]] std::string suggest(std::string_view word, const std::vector<std::string_view>& allowed);

}  // namespace foldout
