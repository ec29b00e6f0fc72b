// SPDX-License-Identifier: Apache-2.0
#include "printable.h"

#include <fmt/format.h>

namespace foldout::cli {
namespace {

std::string without_controls(std::string_view text, bool keep_line_ends) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == '\n' && keep_line_ends) {
      shown += '\n';
    } else if (byte < 0x20 || byte == 0x7f) {
      shown += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // C1 in UTF-8
      shown += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

}  // namespace

std::string escaped(std::string_view text) { return without_controls(text, false); }
std::string printable(std::string_view text) { return without_controls(text, true); }

}  // namespace foldout::cli
