// SPDX-License-Identifier: Apache-2.0
// zlib's inflate as a reader of exactly as many bytes as were asked for: the memory it takes follows what is really
// there, not what a header claims.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace foldout {

enum class Wrapping { kRaw, kZlib, kGzip };

class Inflater {
 public:
  Inflater(std::span<const std::byte> packed, Wrapping wrapping, const std::string& name);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// The next `count` bytes. Throws IoError where the stream is damaged or ends before.
  std::vector<std::byte> read(std::uint64_t count);
  /// The next bytes, `count` of them or as many as there are.
  std::vector<std::byte> read_up_to(std::uint64_t count);
  /// Throws IoError unless everything was read; checks the checksum of the stream.
  void finish();

 private:
  std::size_t inflate_into(std::span<std::byte> out);

  z_stream stream_{};
  std::span<const std::byte> rest_;  ///< not yet given to zlib, which counts in 32 bits
  const std::string& name_;
  bool ended_ = false;
};

}  // namespace foldout
