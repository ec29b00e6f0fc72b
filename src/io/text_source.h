// SPDX-License-Identifier: Apache-2.0
// Text from a file, from a gzipped file, or from standard input.
#pragma once

#include <istream>
#include <memory>
#include <string>

#include "io/location.h"

namespace foldout {

/// Whether the name is that of gzipped text: .csv.gz, .tsv.gz, .txt.gz, .jsonl.gz.
[[nodiscard]] bool is_packed_text(const std::string& file);

/// Opens it at its start. Standard input is shared. Throws IoError if the file cannot be opened or is empty; reading
/// from the stream's buffer throws IoError where packed data are damaged.
[[nodiscard]] std::shared_ptr<std::istream> open_text(const Location& location);

}  // namespace foldout
