// SPDX-License-Identifier: Apache-2.0
// Members are written whole, so every size is known in front; ZIP64 fields appear where 32 bits do not suffice.
#include <zlib.h>

#include <algorithm>
#include <new>

#include "foldout/core/error.h"
#include "io/byte_reader.h"
#include "io/npz.h"

namespace foldout {
namespace {

constexpr std::uint64_t kIn64 = 0xFFFFFFFF;
constexpr std::uint16_t kDate = (1980 - 1980) << 9 | 1 << 5 | 1;  // a fixed day: same data, same bytes

std::uint32_t low32(std::uint64_t value) { return static_cast<std::uint32_t>(std::min(value, kIn64)); }

std::string deflated(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  constexpr std::size_t kMaxPiece = std::size_t{1} << 30;
  std::string packed;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const std::string_view piece = bytes.substr(0, kMaxPiece);
    bytes.remove_prefix(piece.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      char out[1 << 16];
      stream.next_out = reinterpret_cast<Bytef*>(out);
      stream.avail_out = sizeof(out);
      status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
      packed.append(out, sizeof(out) - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return packed;
}

}  // namespace

void NpzWriter::add(const std::string& key, std::string_view npy) {
  const std::string member = key + ".npy";
  std::string packed_storage;
  std::string_view packed = npy;
  if (packing_ == Packing::kDeflated) packed = packed_storage = deflated(npy);
  const bool large = npy.size() >= kIn64 || packed.size() >= kIn64;
  std::string common;  // the part that the local and the central header share
  append_value<std::uint16_t>(common, large || offset_ >= kIn64 ? 45 : 20);
  append_value<std::uint16_t>(common, 0);
  append_value<std::uint16_t>(common, packing_ == Packing::kDeflated ? 8 : 0);
  append_value<std::uint16_t>(common, 0);
  append_value(common, kDate);
  append_value(common, static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(npy.data()), npy.size())));
  append_value(common, large ? low32(kIn64) : low32(packed.size()));
  append_value(common, large ? low32(kIn64) : low32(npy.size()));
  append_value(common, static_cast<std::uint16_t>(member.size()));

  std::string sizes;
  if (large) {
    append_value<std::uint64_t>(sizes, npy.size());
    append_value<std::uint64_t>(sizes, packed.size());
  }
  const std::string local_extra = extra_field(sizes);
  std::string header = "PK\x03\x04" + common;
  append_value(header, static_cast<std::uint16_t>(local_extra.size()));
  header += member + local_extra;
  out_ << header << packed;

  if (offset_ >= kIn64) append_value<std::uint64_t>(sizes, offset_);
  add_to_directory(member, common, extra_field(sizes));
  offset_ += header.size() + packed.size();
}

std::string NpzWriter::extra_field(const std::string& zip64_sizes) {
  std::string field;
  if (zip64_sizes.empty()) return field;
  append_value<std::uint16_t>(field, 1);
  append_value(field, static_cast<std::uint16_t>(zip64_sizes.size()));
  return field + zip64_sizes;
}

void NpzWriter::add_to_directory(const std::string& member, const std::string& common, const std::string& extra) {
  directory_ += "PK\x01\x02";
  append_value<std::uint16_t>(directory_, 45);
  directory_ += common;
  append_value(directory_, static_cast<std::uint16_t>(extra.size()));
  directory_.append(10, '\0');  // no comment, first disk, no attributes
  append_value(directory_, low32(offset_));
  directory_ += member + extra;
  ++count_;
}

void NpzWriter::finish() {
  const bool large = offset_ >= kIn64 || directory_.size() >= kIn64 || count_ >= 0xFFFF;
  std::string end;
  if (large) {
    end += "PK\x06\x06";
    append_value<std::uint64_t>(end, 44);
    append_value<std::uint16_t>(end, 45);
    append_value<std::uint16_t>(end, 45);
    end.append(8, '\0');
    append_value(end, count_);
    append_value(end, count_);
    append_value<std::uint64_t>(end, directory_.size());
    append_value(end, offset_);
    end += "PK\x06\x07";
    end.append(4, '\0');
    append_value<std::uint64_t>(end, offset_ + directory_.size());
    append_value<std::uint32_t>(end, 1);
  }
  end += "PK\x05\x06";
  end.append(4, '\0');
  const auto count = static_cast<std::uint16_t>(std::min<std::uint64_t>(count_, 0xFFFF));
  append_value(end, count);
  append_value(end, count);
  append_value(end, low32(directory_.size()));
  append_value(end, low32(offset_));
  end.append(2, '\0');
  out_ << directory_ << end;
}

}  // namespace foldout
