// SPDX-License-Identifier: Apache-2.0
// The bytes of a fuzz target as a file, for readers that open one.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace foldout {

/// The path of a file in memory with these bytes, which the next call replaces.
inline const std::string& memory_file(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("fuzz", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  return path;
}

}  // namespace foldout
