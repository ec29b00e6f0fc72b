// SPDX-License-Identifier: Apache-2.0
// Portable grey- and pixmaps, plain and raw (P2, P3, P5, P6).
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "foldout/core/types.h"

namespace foldout {

[[nodiscard]] bool is_pnm(std::span<const std::byte> bytes);

/// Grey values, scaled to 0 … 255 where the file's own maximum is another. Throws IoError.
[[nodiscard]] Matrix decode_pnm(std::span<const std::byte> bytes, const std::string& name);

/// The grey of a colour.
[[nodiscard]] inline double luma(double red, double green, double blue) {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

}  // namespace foldout
