// SPDX-License-Identifier: Apache-2.0
// Output files of all verbs: checked before work starts, and tables whose rows keep their identity.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/types.h"

namespace foldout::cli {

/// A file that a verb reads or writes; `option` names it in messages.
struct NamedFile {
  std::string option, path;
};

/// Throws InvalidArgument or IoError if an output has no known format (unless it is a model), cannot be written, is an
/// input as well (also by another path or a link), or is the same file as another output. Empty paths are ignored.
void check_outputs(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);
/// The same for an output in a format of its own: a model file, or codes.
void check_model_output(const std::vector<NamedFile>& inputs, const NamedFile& model,
                        const std::vector<NamedFile>& outputs = {});

/// --no-header
void add_header_option(CLI::App& verb, bool& no_header);

/// Throws InvalidArgument unless the columns of --with are among `known`, and the output is a table with a header.
void check_further_columns(const std::vector<std::string>& with, const std::vector<std::string_view>& known,
                           const std::string& output, bool no_header);

/// Names of the columns of coordinates: y1, y2, …; none if there should be no header.
[[nodiscard]] std::vector<std::string> coordinate_names(Index n_components, bool no_header);

}  // namespace foldout::cli
