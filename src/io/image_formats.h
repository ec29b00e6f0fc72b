// SPDX-License-Identifier: Apache-2.0
// The decoders behind decode_image(): one file each. They throw IoError.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/check.h"
#include "foldout/core/types.h"

namespace foldout {

/// Portable grey- and pixmaps, plain and raw (P2, P3, P5, P6), scaled to 0 … 255 where their maximum is another.
[[nodiscard]] bool is_pnm(std::span<const std::byte> bytes);
[[nodiscard]] Matrix decode_pnm(std::span<const std::byte> bytes, const std::string& name);

/// Every kind of PNG; 16 bits are divided by 257, transparency and gamma are ignored. Checksums are verified.
[[nodiscard]] bool is_png(std::span<const std::byte> bytes);
[[nodiscard]] Matrix decode_png(std::span<const std::byte> bytes, const std::string& name);

/// Grey, RGB and CMYK JPEGs of 8 bits. A file that is cut off is refused.
[[nodiscard]] bool is_jpeg(std::span<const std::byte> bytes);
[[nodiscard]] Matrix decode_jpeg(std::span<const std::byte> bytes, const std::string& name);

/// The first image of a TIFF file; 16 bits are reduced to 8.
[[nodiscard]] bool is_tiff(std::span<const std::byte> bytes);
[[nodiscard]] Matrix decode_tiff(std::span<const std::byte> bytes, const std::string& name);

/// Throws InvalidArgument if decoding would take more bytes than are available.
inline void require_image_memory(double bytes, const std::string& name) {
  if (bytes > 1e8) require_memory(bytes, name, "make the image smaller before it is read");
}

/// The grey of a colour.
[[nodiscard]] inline double luma(double red, double green, double blue) {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

}  // namespace foldout
