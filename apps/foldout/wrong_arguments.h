// SPDX-License-Identifier: Apache-2.0
// Answers to command lines that cannot be parsed: what is wrong and what to write instead.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace foldout::cli {

/// The verb of that name. Throws InvalidArgument with the nearest one if there is none.
const CLI::App& find_verb(const CLI::App& app, const std::string& name);

/// Refuses an option as the value of another, `-o --json`, where the value was forgotten. After all verbs.
void refuse_options_as_values(CLI::App& app);

/// The message for a parse error. Unknown options come first: a required one may only be misspelt. Keys of components
/// given as options, `--n-neighbors 15`, are answered by the spec, `lle:n_neighbors=15`.
[[nodiscard]] std::string explain(const CLI::ParseError& error, const CLI::App& app,
                                  const std::vector<std::string>& arguments);

}  // namespace foldout::cli
