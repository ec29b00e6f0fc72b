// SPDX-License-Identifier: Apache-2.0
// Private: assigns specs to fields and suggests corrections of misspelt words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/fields.h"
#include "foldout/core/spec.h"

namespace foldout {

/// Whether two words are equal without regard to case, underscores and hyphens: LaplacianEigenmaps is
/// laplacian_eigenmaps.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

/// Assigns the spec's values to the fields. The error for an unknown key lists the allowed ones and suggests the
/// nearest, or the one that has the key as its symbol or under another name elsewhere (k, random_state).
void apply(const ComponentSpec& spec, Fields fields);

/// "name:key=value,…" with every field written out, as stored in the model file.
[[nodiscard]] std::string spec_text(std::string_view name, const Fields& fields);

/// The word of `allowed` that `word` was most likely meant to be; empty if none is near.
[[nodiscard]] std::string nearest_spelling(std::string_view word, const std::vector<std::string_view>& allowed);

/// The key that is meant by its symbol (k: n_neighbors) or by the name that other programs give it; empty if there is
/// none.
[[nodiscard]] std::string meant_key(std::string_view word, const Fields& fields);

/// ", did you mean 'x'?" (or nothing) followed by "; allowed: a, b, c".
[[nodiscard]] std::string suggest(std::string_view word, const std::vector<std::string_view>& allowed);

}  // namespace foldout
