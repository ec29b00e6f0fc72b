// SPDX-License-Identifier: Apache-2.0
// numpy's .npz format: a zip archive of .npy files, through libzip. Stored and deflated members; checksums are
// verified, and nothing is unpacked beyond its declared size.
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/array.h"
#include "io/file_bytes.h"

struct zip;  // zip_t
struct zip_source;

namespace foldout {

class NpzReader {
 public:
  /// Reads the directory of the archive; `bytes` must outlive the reader. Throws IoError.
  NpzReader(std::span<const std::byte> bytes, std::string name);
  /// The same for a file, which is read member by member.
  NpzReader(std::shared_ptr<const FileBytes> file, const std::string& name);

  /// The names of the arrays (members without ".npy"), in the order of the archive.
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  /// One array, to be unpacked sequentially. Throws IoError; an unknown key lists those there are.
  [[nodiscard]] PackedArray open(const std::string& key) const;
  /// One array in memory.
  [[nodiscard]] Array read(const std::string& key) const;

 private:
  NpzReader(zip_source* source, std::uint64_t size, std::string name);

  std::string name_;
  std::uint64_t size_;  ///< of the archive
  std::shared_ptr<const FileBytes> file_;
  std::shared_ptr<zip> archive_;
  std::vector<std::string> keys_;
  std::vector<std::uint64_t> members_;  ///< their numbers in the archive
};

struct NpzMember {
  std::string key;
  std::string npy;  ///< what write_npy writes
};

enum class Packing { kStored, kDeflated };

/// Writes an archive, which is made in memory. The same arrays give the same bytes.
void write_npz(std::ostream& out, const std::vector<NpzMember>& members, Packing packing = Packing::kStored);

}  // namespace foldout
