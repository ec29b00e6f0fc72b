// SPDX-License-Identifier: Apache-2.0
// One way to say what is wrong with a file: its name in front, then the place, the rule and a remedy.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <utility>

#include "foldout/core/error.h"

namespace foldout {

template <class... Args>
[[noreturn]] void bad_file(std::string_view name, fmt::format_string<Args...> text, Args&&... args) {
  throw IoError(fmt::format("{}: {}", name, fmt::format(text, std::forward<Args>(args)...)));
}

/// Text from a file, made fit for a message: in quotes, cut to 40 characters, control characters as '?'.
inline std::string quoted(std::string_view text) {
  std::string shown(text.substr(0, 40));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return fmt::format("'{}{}'", shown, text.size() > 40 ? "…" : "");
}

}  // namespace foldout
