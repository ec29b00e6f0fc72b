// SPDX-License-Identifier: Apache-2.0
// Output that appears whole or not at all: written beside its target under a temporary name, then renamed.
#pragma once

#include <fstream>
#include <ostream>
#include <string>

namespace foldout {

class AtomicFile {
 public:
  /// Opens the temporary file. A target that is no regular file (/dev/null, a pipe) is written directly.
  /// Throws IoError if the directory is missing or may not be written, or the target is a directory.
  explicit AtomicFile(const std::string& path);
  /// Removes the temporary file, unless it was committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Whether what was written can be written over: not on a device or pipe.
  [[nodiscard]] bool can_seek() const { return !temporary_.empty(); }
  /// The file that is being written; empty if the target is written directly.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }
  /// Flushes, waits for the disk, renames. Throws IoError if any of it fails (such as: the disk is full).
  void commit();

 private:
  void open_beside_target();
  void discard();
  [[noreturn]] void fail(const std::string& what, int error) const;

  std::string path_;       ///< as given: for messages
  std::string target_;     ///< with symbolic links followed
  std::string temporary_;  ///< empty: written directly
  int slot_ = -1;          ///< in the registry of temporary names
  std::ofstream stream_;
};

/// Removes the temporary files of this process: for a signal handler that is about to end it (it calls
/// nothing but unlink). Up to 64 files open at a time are known to it.
void remove_temporary_files() noexcept;

}  // namespace foldout
