// SPDX-License-Identifier: Apache-2.0
// Compressed data that are unpacked sequentially, no more at a time than is asked for. Memory follows what is really
// there, not what a header claims.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace foldout {

class ByteSource {
 public:
  /// `packed_size`: of the bytes that everything is unpacked from. `name` is for messages.
  ByteSource(std::string name, std::uint64_t packed_size) : name_(std::move(name)), packed_size_(packed_size) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills `out` unless the data end before; returns how much was filled. Throws IoError for damaged data.
  std::size_t read(std::span<std::byte> out);
  /// Bytes read so far.
  [[nodiscard]] std::uint64_t position() const { return position_; }

  /// Fills all of `out`. Throws IoError where the data end before.
  void fill(std::span<std::byte> out);
  /// The next bytes, `count` of them or as many as there are.
  std::vector<std::byte> take_up_to(std::uint64_t count);
  /// The next `count` bytes. Throws IoError where the data end before.
  std::vector<std::byte> take(std::uint64_t count);
  /// Throws IoError unless everything was read; checks the checksum of the data.
  void finish();
  /// Throws IoError if so many bytes cannot be packed into as few as there are.
  void require_plausible(std::uint64_t size) const;

 protected:
  virtual std::size_t unpack_into(std::span<std::byte> out) = 0;  ///< does the work of read()
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::uint64_t packed_size_;
  std::uint64_t position_ = 0;
};

enum class Wrapping { kZlib, kGzip };

/// Deflated data, by zlib.
class Inflater final : public ByteSource {
 public:
  /// Called with each piece of the packed data that is no longer needed.
  using Passed = std::function<void(std::span<const std::byte>)>;

  /// `packed` must outlive the source.
  Inflater(std::span<const std::byte> packed, Wrapping wrapping, const std::string& name, Passed passed = {});
  ~Inflater() override;

 private:
  std::size_t unpack_into(std::span<std::byte> out) override;

  z_stream stream_{};
  std::span<const std::byte> piece_;  ///< what zlib has: it counts in 32 bits
  std::span<const std::byte> rest_;   ///< not yet given to zlib
  Passed passed_;
  bool ended_ = false;
};

}  // namespace foldout
