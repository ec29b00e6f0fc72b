// SPDX-License-Identifier: Apache-2.0
#include "io/npz.h"

#include <zip.h>

#include <algorithm>
#include <new>
#include <utility>

#include "io/bad_file.h"
#include "io/npy.h"

namespace foldout {
namespace {

/// zip_error_t, whose texts must be freed.
struct ZipError {
  zip_error_t error{};
  ZipError() { zip_error_init(&error); }
  ~ZipError() { zip_error_fini(&error); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  [[nodiscard]] const char* text() { return zip_error_strerror(&error); }
};

/// One member, from its start to its end. libzip verifies size and checksum at the end.
class ZipMember final : public ByteSource {
 public:
  ZipMember(std::shared_ptr<zip_t> archive, std::uint64_t index, std::uint64_t packed_size, const std::string& name)
      : ByteSource(name, packed_size), archive_(std::move(archive)), file_(zip_fopen_index(archive_.get(), index, 0)) {
    if (!file_) bad_file(name, "cannot be unpacked ({}): the file is damaged or cut off", zip_strerror(archive_.get()));
  }
  ~ZipMember() override { zip_fclose(file_); }

 private:
  std::size_t unpack_into(std::span<std::byte> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      const zip_int64_t count = zip_fread(file_, out.data() + done, out.size() - done);
      if (count < 0) bad_file(name(), "its packed data are damaged or cut off ({})", zip_file_strerror(file_));
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  std::shared_ptr<zip_t> archive_;  ///< must be closed after the member
  zip_file_t* file_;
};

zip_source_t* source_of(std::span<const std::byte> bytes) {
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr);
  if (!source) throw std::bad_alloc();
  return source;
}

/// What cannot be mapped, such as a pipe, is in memory already.
zip_source_t* source_of(const FileBytes& file, const std::string& path) {
  if (!file.is_mapped()) return source_of(file.bytes());
  zip_source_t* source = zip_source_file_create(path.c_str(), 0, -1, nullptr);
  if (!source) throw std::bad_alloc();
  return source;
}

}  // namespace

NpzReader::NpzReader(std::span<const std::byte> bytes, std::string name)
    : NpzReader(source_of(bytes), bytes.size(), std::move(name)) {}

NpzReader::NpzReader(std::shared_ptr<const FileBytes> file, const std::string& name)
    : NpzReader(source_of(*file, name), file->bytes().size(), name) {
  file_ = std::move(file);
}

NpzReader::NpzReader(zip_source_t* source, std::uint64_t size, std::string name) : name_(std::move(name)), size_(size) {
  ZipError error;
  zip_t* archive = zip_open_from_source(source, ZIP_RDONLY, &error.error);
  if (!archive) {
    zip_source_free(source);
    bad_file(name_,
             "is not an .npz file, or is damaged or cut off ({}): get an undamaged copy, or save a spreadsheet as .csv",
             error.text());
  }
  archive_.reset(archive, zip_discard);
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    const char* member = zip_get_name(archive, i, ZIP_FL_ENC_RAW);
    std::string key = member ? member : "";
    if (!key.ends_with(".npy")) continue;
    key.resize(key.size() - 4);
    keys_.push_back(std::move(key));
    members_.push_back(i);
  }
}

PackedArray NpzReader::open(const std::string& key) const {
  const auto found = std::ranges::find(keys_, key);
  if (found == keys_.end()) bad_file(name_, "has no array '{}'; it has: {}", key, fmt::join(keys_, ", "));
  const std::uint64_t index = members_[static_cast<std::size_t>(found - keys_.begin())];
  const std::string label = fmt::format("{}:{}", name_, key);
  zip_stat_t about;
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if (zip_stat_index(archive_.get(), index, 0, &about) != 0 || (about.valid & kNeeded) != kNeeded)
    bad_file(label, "its entry in the directory of the archive is damaged");
  if (about.encryption_method != ZIP_EM_NONE) bad_file(label, "is encrypted: save it without a password");
  if (about.comp_method != ZIP_CM_STORE && about.comp_method != ZIP_CM_DEFLATE)
    bad_file(label, "is packed by method {}; stored (0) and deflated (8) can be read: save it again with numpy.savez",
             about.comp_method);
  if (about.comp_size > size_ || (about.comp_method == ZIP_CM_STORE && about.size != about.comp_size))
    bad_file(label, "claims {} bytes, packed into {}, of a file of {}: it is damaged or cut off", about.size,
             about.comp_size, size_);
  PackedArray packed{{}, std::make_unique<ZipMember>(archive_, index, about.comp_size, label)};
  packed.source->require_plausible(about.size);
  packed.array = read_npy_header(*packed.source, label);
  require_size(packed.array, about.size - std::min(packed.source->position(), about.size), label);
  return packed;
}

Array NpzReader::read(const std::string& key) const { return unpack(open(key), fmt::format("{}:{}", name_, key)); }

void write_npz(std::ostream& out, const std::vector<NpzMember>& members, Packing packing) {
  constexpr zip_uint16_t kDate = (1980 - 1980) << 9 | 1 << 5 | 1;  // a fixed day: same data, same bytes
  constexpr zip_uint32_t kLevel = 6;
  zip_source_t* bytes = zip_source_buffer_create(nullptr, 0, 0, nullptr);
  if (!bytes) throw std::bad_alloc();
  const std::shared_ptr<zip_source_t> kept(bytes, zip_source_free);
  zip_source_keep(bytes);  // zip_close() gives one reference back
  zip_t* archive = zip_open_from_source(bytes, ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  if (!archive) {
    zip_source_free(bytes);
    throw std::bad_alloc();
  }
  bool done = true;
  for (const NpzMember& member : members) {
    zip_source_t* data = zip_source_buffer(archive, member.npy.data(), member.npy.size(), 0);
    const zip_int64_t index = data ? zip_file_add(archive, (member.key + ".npy").c_str(), data, ZIP_FL_ENC_UTF_8) : -1;
    if (data && index < 0) zip_source_free(data);
    const auto i = static_cast<zip_uint64_t>(index);
    done =
        done && index >= 0 && zip_file_set_dostime(archive, i, 0, kDate, 0) == 0 &&
        zip_set_file_compression(archive, i, packing == Packing::kStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, kLevel) == 0;
  }
  if (!done || zip_close(archive) != 0) {
    zip_discard(archive);
    throw std::bad_alloc();  // in memory nothing else can go wrong
  }
  char piece[1 << 16];
  zip_source_open(bytes);
  for (zip_int64_t count; (count = zip_source_read(bytes, piece, sizeof(piece))) > 0;) out.write(piece, count);
  zip_source_close(bytes);
}

}  // namespace foldout
