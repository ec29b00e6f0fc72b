// SPDX-License-Identifier: Apache-2.0
// Format: http://yann.lecun.com/exdb/mnist (two zero bytes, type, number of dimensions, sizes, data).
#include "io/idx.h"

#include "io/bad_file.h"
#include "io/byte_reader.h"

namespace foldout {
namespace {

constexpr std::size_t kMaxDimensions = 3;

ElementType element_type(std::uint8_t code, const std::string& name) {
  switch (code) {
    case 0x08:
      return ElementType::kUInt8;
    case 0x09:
      return ElementType::kInt8;
    case 0x0B:
      return ElementType::kInt16;
    case 0x0C:
      return ElementType::kInt32;
    case 0x0D:
      return ElementType::kFloat32;
    case 0x0E:
      return ElementType::kFloat64;
    default:
      bad_file(name, "has the IDX element type 0x{:02x}; known are 0x08, 0x09 and 0x0b to 0x0e: it is damaged", code);
  }
}

/// The number of dimensions; sets the type.
std::size_t parse_start(std::span<const std::byte> bytes, Array& array, const std::string& name) {
  if (bytes.size() < 4 || bytes[0] != std::byte{0} || bytes[1] != std::byte{0})
    bad_file(name, "is not an IDX file: its first two bytes must be zero");
  array.big_endian = true;
  array.type = element_type(static_cast<std::uint8_t>(bytes[2]), name);
  array.item_size = size_of(array.type);
  const auto dimensions = static_cast<std::size_t>(bytes[3]);
  if (dimensions == 0 || dimensions > kMaxDimensions)
    bad_file(name, "claims {} dimensions, but an IDX file of labels or samples has 1 to 3: it is damaged", dimensions);
  return dimensions;
}

void parse_shape(std::span<const std::byte> bytes, Array& array) {
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4)
    array.shape.push_back(load_value<std::uint32_t>(bytes.data() + i, true));
}

}  // namespace

bool is_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

PackedArray open_gzipped_idx(std::span<const std::byte> bytes, const std::string& name, Inflater::Passed passed) {
  PackedArray packed{{}, std::make_unique<Inflater>(bytes, Wrapping::kGzip, name, std::move(passed))};
  const std::size_t dimensions = parse_start(packed.source->take_up_to(4), packed.array, name);
  parse_shape(packed.source->take(4 * dimensions), packed.array);
  packed.source->require_plausible(byte_count(packed.array.shape, packed.array.item_size, name));
  return packed;
}

Array parse_idx(std::span<const std::byte> bytes, const std::string& name) {
  if (is_gzip(bytes)) return unpack(open_gzipped_idx(bytes, name), name);
  Array array;
  const std::size_t dimensions = parse_start(bytes, array, name);
  ByteReader reader(bytes.subspan(4), name);
  parse_shape(reader.take(4 * dimensions, "the shape"), array);
  set_bytes(array, reader.take(reader.remaining(), "the data"), name);
  return array;
}

}  // namespace foldout
