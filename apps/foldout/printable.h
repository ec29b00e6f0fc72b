// SPDX-License-Identifier: Apache-2.0
// Text from files on a terminal: labels, column names and notes of a model may contain anything.
#pragma once

#include <string>
#include <string_view>

namespace foldout::cli {

/// Control characters (C0, DEL, C1) as \xNN or \u00NN, line ends too; all else as it is.
[[nodiscard]] std::string escaped(std::string_view text);

/// The same, but line ends stay: for whole messages.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace foldout::cli
