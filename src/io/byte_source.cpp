// SPDX-License-Identifier: Apache-2.0
#include "io/byte_source.h"

#include <algorithm>
#include <new>

#include "io/bad_file.h"

namespace foldout {
namespace {

constexpr std::size_t kMaxPiece = std::size_t{8} << 20;
constexpr std::uint64_t kMaxRatio = 1032;  // deflate cannot pack better

}  // namespace

std::size_t ByteSource::read(std::span<std::byte> out) {
  const std::size_t count = unpack_into(out);
  position_ += count;
  return count;
}

void ByteSource::fill(std::span<std::byte> out) {
  const std::size_t count = read(out);
  if (count < out.size())
    bad_file(name_, "its packed data end after {} bytes where {} are needed: it is damaged or cut off", count,
             out.size());
}

std::vector<std::byte> ByteSource::take(std::uint64_t count) {
  require_plausible(count);
  std::vector<std::byte> out = take_up_to(count);
  if (out.size() < count)
    bad_file(name_, "unpacks to {} bytes where {} are needed: it is damaged or cut off", out.size(), count);
  return out;
}

std::vector<std::byte> ByteSource::take_up_to(std::uint64_t count) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 20;
  std::vector<std::byte> out;
  bool more = true;
  while (out.size() < count && more) {
    const std::size_t old = out.size();
    out.resize(static_cast<std::size_t>(std::min(count, std::max<std::uint64_t>(2 * old, kFirst))));
    const std::size_t got = read(std::span(out).subspan(old));
    more = old + got == out.size();
    out.resize(old + got);
  }
  return out;
}

void ByteSource::finish() {
  std::byte extra[1];
  if (read(extra) > 0) bad_file(name_, "unpacks to more than its header says: it is damaged");
}

void ByteSource::require_plausible(std::uint64_t size) const {
  if (size / kMaxRatio > packed_size_ + 1)
    bad_file(name_, "claims {} bytes packed into {}, more than packing can do: it is damaged", size, packed_size_);
}

Inflater::Inflater(std::span<const std::byte> packed, Wrapping wrapping, const std::string& name, Passed passed)
    : ByteSource(name, packed.size()), rest_(packed), passed_(std::move(passed)) {
  if (inflateInit2(&stream_, wrapping == Wrapping::kZlib ? MAX_WBITS : MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() { inflateEnd(&stream_); }

std::size_t Inflater::unpack_into(std::span<std::byte> out) {
  std::size_t done = 0;
  while (done < out.size() && !ended_) {
    if (stream_.avail_in == 0) {
      if (passed_ && !piece_.empty()) passed_(piece_);
      piece_ = rest_.first(std::min(rest_.size(), kMaxPiece));
      rest_ = rest_.subspan(piece_.size());
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(piece_.data()));
      stream_.avail_in = static_cast<uInt>(piece_.size());
    }
    const std::size_t room = std::min(out.size() - done, std::size_t{1} << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    done += room - stream_.avail_out;
    if (status == Z_STREAM_END) {
      ended_ = true;
    } else if (status == Z_BUF_ERROR) {
      bad_file(name(), "its packed data end early: the file is cut off");
    } else if (status != Z_OK) {
      bad_file(name(), "its packed data are damaged ({})", stream_.msg ? stream_.msg : "unknown reason");
    }
  }
  return done;
}

}  // namespace foldout
