// SPDX-License-Identifier: Apache-2.0
// JPEG: follows the markers exactly as stb_image does up to the first scan; from there on, where markers stand between
// packed data, everything that looks like a table is held to be one.
#include "io/image_check.h"

#include <zlib.h>

#include <algorithm>
#include <string_view>

#include "io/bad_file.h"
#include "io/byte_reader.h"

namespace foldout {
namespace {

constexpr unsigned kHuffmanTable = 0xC4;
constexpr unsigned kStartOfScan = 0xDA;
constexpr std::size_t kMaxCodes = 256;

class JpegChecker {
 public:
  JpegChecker(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  void check() {
    std::size_t position = 1;
    while (at(position) == 0xFF) ++position;
    ++position;  // the marker that starts the image
    while (position < bytes_.size()) {
      if (at(position++) != 0xFF) continue;
      while (at(position) == 0xFF) ++position;
      const unsigned marker = at(position++);
      if (marker == kStartOfScan) return check_scans(position);
      if (marker == kHuffmanTable) check_tables(position);
      position += length_at(position);
    }
  }

 private:
  [[nodiscard]] unsigned at(std::size_t i) const { return i < bytes_.size() ? static_cast<unsigned>(bytes_[i]) : 0; }
  [[nodiscard]] std::size_t length_at(std::size_t i) const { return 256 * at(i) + at(i + 1); }

  void check_scans(std::size_t position) const {
    for (; position + 1 < bytes_.size(); ++position)
      if (at(position) == 0xFF && at(position + 1) == kHuffmanTable) check_tables(position + 2);
  }

  /// A segment of tables: for each, one byte, 16 numbers of codes by length, and the codes.
  void check_tables(std::size_t position) const {
    const std::size_t end = position + length_at(position);
    for (position += 2; position < end && position < bytes_.size();) {
      std::size_t codes = 0;
      for (std::size_t i = 1; i <= 16; ++i) codes += at(position + i);
      if (codes > kMaxCodes)
        bad_file(name_, "has a Huffman table of {} codes at byte {}, but {} is the most: it is damaged", codes,
                 position, kMaxCodes);
      position += 17 + codes;
    }
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
};

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

}  // namespace

bool is_jpeg(std::span<const std::byte> bytes) {
  const auto second = std::ranges::find_if(bytes, [](std::byte b) { return b != std::byte{0xFF}; });
  return second != bytes.begin() && second != bytes.end() && *second == std::byte{0xD8};
}

void check_jpeg_tables(std::span<const std::byte> bytes, const std::string& name) { JpegChecker(bytes, name).check(); }

bool is_png(std::span<const std::byte> bytes) {
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(kPngSignature);
}

void check_png_chunks(std::span<const std::byte> bytes, const std::string& name) {
  ByteReader reader(bytes, name, true);
  reader.take(kPngSignature.size(), "the signature");
  bool has_data = false;
  for (std::string kind; kind != "IEND";) {
    const std::size_t position = reader.position();
    const auto length = reader.integer<std::uint32_t>("a chunk");
    const auto content = reader.take(std::uint64_t{length} + 4, "a chunk");
    kind.assign(reinterpret_cast<const char*>(content.data()), 4);
    const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    if (reader.integer<std::uint32_t>("a checksum") != checksum)
      bad_file(name, "its chunk {} at byte {} has a wrong checksum: it is damaged", quoted(kind), position);
    if (kind == "IDAT" && length == 0 && !has_data) bad_file(name, "its first piece of data is empty: it is damaged");
    has_data |= kind == "IDAT";
  }
}

}  // namespace foldout
