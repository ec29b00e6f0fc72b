// SPDX-License-Identifier: Apache-2.0
// numpy's .npz format: a zip archive of .npy files. Stored and deflated members, ZIP64; checksums are verified,
// and nothing is unpacked beyond its declared size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/array.h"

namespace foldout {

class NpzReader {
 public:
  /// Reads the directory of the archive; `bytes` must outlive the reader. Throws IoError.
  NpzReader(std::span<const std::byte> bytes, std::string name);

  /// The names of the arrays (members without ".npy"), in the order of the archive.
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  /// Unpacks one array. Throws IoError; an unknown key lists those there are.
  [[nodiscard]] Array read(const std::string& key) const;

 private:
  struct Member {
    std::uint64_t offset = 0;  ///< of the local header
    std::uint64_t packed_size = 0;
    std::uint64_t size = 0;
    std::uint32_t checksum = 0;
    std::uint16_t method = 0;
    bool encrypted = false;
  };
  void read_directory(std::uint64_t offset, std::uint64_t count);
  void read_zip64_field(std::span<const std::byte> extra, Member& member) const;
  [[nodiscard]] std::vector<std::byte> unpack(const Member& member, const std::string& label) const;

  std::span<const std::byte> bytes_;
  std::string name_;
  std::vector<std::string> keys_;
  std::vector<Member> members_;
};

enum class Packing { kStored, kDeflated };

class NpzWriter {
 public:
  explicit NpzWriter(std::ostream& out, Packing packing = Packing::kStored) : out_(out), packing_(packing) {}
  /// Adds an array: `npy` is what write_npy writes.
  void add(const std::string& key, std::string_view npy);
  /// Writes the directory: the last call.
  void finish();

 private:
  static std::string extra_field(const std::string& zip64_sizes);
  void add_to_directory(const std::string& member, const std::string& common, const std::string& extra);

  std::ostream& out_;
  Packing packing_;
  std::uint64_t offset_ = 0;
  std::uint64_t count_ = 0;
  std::string directory_;
};

}  // namespace foldout
