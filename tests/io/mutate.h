// SPDX-License-Identifier: Apache-2.0
// Damaged files, made of sound ones.
#pragma once

#include <algorithm>
#include <string>

#include "core/random.h"

namespace foldout {

/// One to four changes: a byte, a bit, a cut, an insertion, a run of equal bytes, a piece moved elsewhere.
inline std::string mutate(std::string bytes, Rng& rng) {
  const auto position = [&] { return bytes.empty() ? 0 : static_cast<std::size_t>(rng.below(bytes.size())); };
  const auto byte = [&] {
    const char extreme[] = {'\0', '\xff', '\x7f', '\x80'};
    return rng.below(2) ? extreme[rng.below(4)] : static_cast<char>(rng.below(256));
  };
  for (std::uint64_t n = 1 + rng.below(4); n > 0 && !bytes.empty(); --n) {
    switch (rng.below(6)) {
      case 0:
        bytes[position()] = byte();
        break;
      case 1:
        bytes[position()] ^= static_cast<char>(1 << rng.below(8));
        break;
      case 2:
        bytes.resize(position());
        break;
      case 3:
        bytes.insert(position(), 1 + rng.below(8), byte());
        break;
      case 4:
        bytes.replace(position(), std::min<std::size_t>(bytes.size(), 1 + rng.below(8)), 1 + rng.below(8), byte());
        break;
      default:
        bytes.insert(position(), bytes.substr(position(), 1 + rng.below(16)));
    }
  }
  return bytes;
}

}  // namespace foldout
