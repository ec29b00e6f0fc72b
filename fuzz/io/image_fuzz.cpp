// SPDX-License-Identifier: Apache-2.0
// The checksums of a PNG are corrected first; otherwise nothing behind them would be tested.
#include "io/image.h"

#include <zlib.h>

#include <algorithm>
#include <string>

#include "fuzz_target.h"
#include "io/byte_reader.h"

namespace {

std::string resealed(std::span<const std::byte> bytes) {
  std::string png(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!png.starts_with("\x89PNG")) return png;
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const auto* chunk = reinterpret_cast<const std::byte*>(png.data() + at);
    const std::size_t size = foldout::load_value<std::uint32_t>(chunk, true);
    if (size > png.size() - at - 12) break;
    const auto checksum = crc32(0, reinterpret_cast<const Bytef*>(chunk + 4), static_cast<uInt>(size + 4));
    for (std::size_t i = 0; i < 4; ++i) png[at + 8 + size + i] = static_cast<char>(checksum >> (24 - 8 * i));
    at += 12 + size;
  }
  return png;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  return fuzz_once(data, size, [](std::span<const std::byte> bytes) {
    const std::string image = resealed(bytes);
    (void)decode_image(std::as_bytes(std::span(image)), "fuzz");
  });
}
