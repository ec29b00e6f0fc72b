// SPDX-License-Identifier: Apache-2.0
// Between UTF-8 and code points, for the text arrays of .npy and .mat.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace foldout {

inline constexpr std::uint32_t kReplacementCharacter = 0xFFFD;

/// Appends one code point; an invalid one becomes the replacement character.
inline void append_utf8(std::string& out, std::uint32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = kReplacementCharacter;
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 63));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 63));
    put(0x80 | (c & 63));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 63));
    put(0x80 | (c >> 6 & 63));
    put(0x80 | (c & 63));
  }
}

/// The code points of a text; bytes that are not UTF-8 are taken as Latin-1.
inline std::u32string from_utf8(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
    std::uint32_t point = length == 1 ? first : first & (0x7FU >> length);
    bool valid = i + length <= text.size();
    for (std::size_t k = 1; valid && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      valid = (next & 0xC0) == 0x80;
      point = point << 6 | (next & 0x3F);
    }
    points.push_back(static_cast<char32_t>(valid ? point : first));
    i += valid ? length : 1;
  }
  return points;
}

}  // namespace foldout
