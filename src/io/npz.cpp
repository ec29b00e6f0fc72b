// SPDX-License-Identifier: Apache-2.0
// Format: PKWARE's APPNOTE.TXT 6.3, sections 4.3 and 4.5.3 (ZIP64).
#include "io/npz.h"

#include <zlib.h>

#include <algorithm>

#include "io/bad_file.h"
#include "io/byte_reader.h"
#include "io/inflate.h"
#include "io/npy.h"

namespace foldout {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralHeader = 0x02014b50;
constexpr std::uint32_t kEndRecord = 0x06054b50;
constexpr std::uint32_t kEnd64Record = 0x06064b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // "see the ZIP64 field"
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kCentralSize = 46;

/// The position of the end record: it is followed by nothing but its comment, of at most 65535 bytes.
std::size_t find_end(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() >= kEndSize)
    for (std::size_t back = kEndSize; back <= std::min<std::size_t>(bytes.size(), kEndSize + 65535); ++back) {
      const std::byte* record = bytes.data() + bytes.size() - back;
      if (load_value<std::uint32_t>(record, false) == kEndRecord &&
          load_value<std::uint16_t>(record + 20, false) + kEndSize == back)
        return bytes.size() - back;
    }
  bad_file(name, "is no .npz file, or cut off: a zip archive ends with its directory, and there is none");
}

std::uint32_t crc_of(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::span<const std::byte> part_at(std::span<const std::byte> bytes, std::uint64_t offset, const std::string& name) {
  if (offset > bytes.size())
    bad_file(name, "refers to byte {}, but has only {}: it is damaged or cut off", offset, bytes.size());
  return bytes.subspan(static_cast<std::size_t>(offset));
}

}  // namespace

NpzReader::NpzReader(std::span<const std::byte> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  const std::size_t end = find_end(bytes_, name_);
  const std::byte* record = bytes_.data() + end;
  std::uint64_t count = load_value<std::uint16_t>(record + 10, false);
  std::uint64_t offset = load_value<std::uint32_t>(record + 16, false);
  const std::byte* locator = end >= kLocatorSize ? record - kLocatorSize : nullptr;
  if (locator && load_value<std::uint32_t>(locator, false) == kEnd64Locator) {
    ByteReader reader(part_at(bytes_, load_value<std::uint64_t>(locator + 8, false), name_), name_);
    if (reader.integer<std::uint32_t>("the ZIP64 end record") != kEnd64Record)
      bad_file(name_, "its ZIP64 end record is damaged");
    reader.take(28, "the ZIP64 end record");
    count = reader.integer<std::uint64_t>("the number of members");
    reader.take(8, "the size of the directory");
    offset = reader.integer<std::uint64_t>("the place of the directory");
  }
  read_directory(offset, count);
}

void NpzReader::read_directory(std::uint64_t offset, std::uint64_t count) {
  ByteReader reader(part_at(bytes_, offset, name_), name_);
  if (count > reader.remaining() / kCentralSize)
    bad_file(name_, "claims {} members, more than its directory can list: it is damaged", count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (reader.integer<std::uint32_t>("a directory entry") != kCentralHeader)
      bad_file(name_, "entry {} of its directory is damaged", i);
    Member member;
    reader.take(4, "the versions");
    member.encrypted = reader.integer<std::uint16_t>("the flags") & 1;
    member.method = reader.integer<std::uint16_t>("the method");
    reader.take(4, "the time");
    member.checksum = reader.integer<std::uint32_t>("the checksum");
    member.packed_size = reader.integer<std::uint32_t>("the packed size");
    member.size = reader.integer<std::uint32_t>("the size");
    const auto name_length = reader.integer<std::uint16_t>("the length of a name");
    const auto extra_length = reader.integer<std::uint16_t>("the length of a field");
    const auto comment_length = reader.integer<std::uint16_t>("the length of a comment");
    reader.take(8, "the attributes");
    member.offset = reader.integer<std::uint32_t>("the place of a member");
    std::string key = reader.text(name_length, "the name of a member");
    read_zip64_field(reader.take(extra_length, "the extra field"), member);
    reader.take(comment_length, "a comment");
    if (!key.ends_with(".npy")) continue;
    key.resize(key.size() - 4);
    keys_.push_back(std::move(key));
    members_.push_back(member);
  }
}

/// Sizes that do not fit into 32 bits stand in an extra field, in this order, only those that need it.
void NpzReader::read_zip64_field(std::span<const std::byte> extra, Member& member) const {
  ByteReader fields(extra, name_);
  while (fields.remaining() >= 4) {
    const auto id = fields.integer<std::uint16_t>("an extra field");
    const auto size = fields.integer<std::uint16_t>("an extra field");
    const auto content = fields.take(size, "an extra field");
    if (id != 1) continue;
    ByteReader values(content, name_);
    for (std::uint64_t* value : {&member.size, &member.packed_size, &member.offset})
      if (*value == kIn64) *value = values.integer<std::uint64_t>("a ZIP64 size");
    return;
  }
}

Array NpzReader::read(const std::string& key) const {
  const auto found = std::ranges::find(keys_, key);
  if (found == keys_.end()) bad_file(name_, "has no array '{}'; it has: {}", key, fmt::join(keys_, ", "));
  const std::string label = fmt::format("{}:{}", name_, key);
  auto data = std::make_shared<const std::vector<std::byte>>(
      unpack(members_[static_cast<std::size_t>(found - keys_.begin())], label));
  Array array = parse_npy(*data, label);
  array.owner = std::move(data);
  return array;
}

std::vector<std::byte> NpzReader::unpack(const Member& member, const std::string& label) const {
  if (member.encrypted) bad_file(label, "is encrypted: save it without a password");
  if (member.method != 0 && member.method != 8)
    bad_file(label, "is packed by method {}; stored (0) and deflated (8) can be read: save it again with numpy.savez",
             member.method);
  ByteReader reader(part_at(bytes_, member.offset, label), label);
  if (reader.integer<std::uint32_t>("the local header") != kLocalHeader) bad_file(label, "its local header is damaged");
  reader.take(22, "the local header");
  const auto name_length = reader.integer<std::uint16_t>("the length of the name");
  const auto extra_length = reader.integer<std::uint16_t>("the length of the extra field");
  reader.take(name_length, "the name");
  reader.take(extra_length, "the extra field");
  const auto packed = reader.take(member.packed_size, "the packed data");
  std::vector<std::byte> data;
  if (member.method == 0) {
    if (member.size != member.packed_size) bad_file(label, "its two sizes disagree: the file is damaged");
    data.assign(packed.begin(), packed.end());
  } else {
    Inflater inflater(packed, Wrapping::kRaw, label);
    data = inflater.read(member.size);
    inflater.finish();
  }
  if (crc_of(data) != member.checksum) bad_file(label, "its checksum is wrong: the file is damaged, get it again");
  return data;
}

}  // namespace foldout
