// SPDX-License-Identifier: Apache-2.0
// A whole file as one span of bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace foldout {

class FileBytes {
 public:
  /// Maps a regular file, reads anything else (a pipe) to its end. Throws IoError.
  explicit FileBytes(const std::string& path);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] bool is_mapped() const { return mapping_ != nullptr; }
  /// Copies the bytes from `offset` on, by reading instead of through the mapping: a file that another program cuts off
  /// meanwhile is an IoError, not a signal.
  void copy(std::size_t offset, std::span<std::byte> out) const;
  /// These bytes are not needed for now: their memory may serve others until they are read again.
  void release(std::span<const std::byte> part) const;

 private:
  void map(int file, std::size_t size);
  void read_all(int file);

  std::string path_;
  std::span<const std::byte> bytes_;
  std::vector<std::byte> storage_;
  void* mapping_ = nullptr;
  int file_ = -1;  ///< of the mapping
};

/// FileBytes that throws IoError for an empty file too.
[[nodiscard]] std::shared_ptr<const FileBytes> open_file(const std::string& path);

}  // namespace foldout
