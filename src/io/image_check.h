// SPDX-License-Identifier: Apache-2.0
// What stb_image does not check itself before it trusts a file.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace foldout {

[[nodiscard]] bool is_jpeg(std::span<const std::byte> bytes);

/// Throws IoError if a Huffman table of a JPEG has more codes than fit into it: stb_image would write past its end.
void check_jpeg_tables(std::span<const std::byte> bytes, const std::string& name);

[[nodiscard]] bool is_png(std::span<const std::byte> bytes);

/// Throws IoError if a chunk of a PNG is longer than the file (stb_image would allocate it all the same), if a
/// checksum is wrong (stb_image does not look at them), or the last chunk is missing.
void check_png_chunks(std::span<const std::byte> bytes, const std::string& name);

}  // namespace foldout
