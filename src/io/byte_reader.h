// SPDX-License-Identifier: Apache-2.0
// A cursor over bytes that never passes their end: what every binary parser reads through.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "io/bad_file.h"

namespace foldout {

static_assert(std::endian::native == std::endian::little, "the readers and writers assume a little-endian machine");

/// The value at the front of `bytes`, which must be long enough.
template <class T>
[[nodiscard]] T load_value(const std::byte* bytes, bool big_endian) {
  T value;
  if (big_endian && sizeof(T) > 1) {
    std::byte reversed[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i) reversed[i] = bytes[sizeof(T) - 1 - i];
    std::memcpy(&value, reversed, sizeof(T));
  } else {
    std::memcpy(&value, bytes, sizeof(T));
  }
  return value;
}

class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, const std::string& name, bool big_endian = false)
      : bytes_(bytes), name_(name), big_endian_(big_endian) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - position_; }

  std::span<const std::byte> take(std::uint64_t count, std::string_view what) {
    if (count > remaining())
      bad_file(name_, "{} at byte {} needs {} bytes, but only {} are left: the file is damaged or cut off", what,
               position_, count, remaining());
    const auto part = bytes_.subspan(position_, static_cast<std::size_t>(count));
    position_ += part.size();
    return part;
  }

  template <std::integral T>
  T integer(std::string_view what) {
    return load_value<T>(take(sizeof(T), what).data(), big_endian_);
  }

  std::string text(std::uint64_t count, std::string_view what) {
    const auto part = take(count, what);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }

 private:
  std::span<const std::byte> bytes_;
  const std::string& name_;
  bool big_endian_;
  std::size_t position_ = 0;
};

/// Appends the little-endian bytes of a number.
template <class T>
void append_value(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

}  // namespace foldout
