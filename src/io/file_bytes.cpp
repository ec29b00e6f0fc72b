// SPDX-License-Identifier: Apache-2.0
#include "io/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/check.h"
#include "io/bad_file.h"

namespace foldout {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  int release() { return std::exchange(number, -1); }
};

}  // namespace

FileBytes::FileBytes(const std::string& path) : path_(path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) {
    const int error = errno;
    bad_file(path, "cannot be opened ({}): check the path{}", std::strerror(error),
             error == EACCES ? " and its permissions" : "");
  }
  struct stat status {};
  if (::fstat(file.number, &status) != 0) bad_file(path, "cannot be read ({})", std::strerror(errno));
  if (S_ISDIR(status.st_mode)) bad_file(path, "is a directory, but a file is needed here");
  if (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))
    bad_file(path, "is a device, which may have no end: give a file, or standard input as -");
  if (S_ISREG(status.st_mode) && status.st_size > 0) map(file.number, static_cast<std::size_t>(status.st_size));
  if (mapping_)
    file_ = file.release();
  else
    read_all(file.number);
}

FileBytes::~FileBytes() {
  if (mapping_) ::munmap(mapping_, bytes_.size());
  if (file_ >= 0) ::close(file_);
}

void FileBytes::map(int file, std::size_t size) {
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (address == MAP_FAILED) return;
  ::madvise(address, size, MADV_SEQUENTIAL);
  mapping_ = address;
  bytes_ = {static_cast<const std::byte*>(address), size};
}

void FileBytes::copy(std::size_t offset, std::span<std::byte> out) const {
  if (!mapping_) {
    std::ranges::copy(bytes_.subspan(offset, out.size()), out.begin());
    return;
  }
  for (std::size_t done = 0; done < out.size();) {
    const ssize_t count = ::pread(file_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) bad_file(path_, "cannot be read beyond byte {} ({})", offset + done, std::strerror(errno));
    if (count == 0) bad_file(path_, "became shorter while it was read: wait until it is written, and read it again");
    done += static_cast<std::size_t>(count);
  }
}

void FileBytes::release(std::span<const std::byte> part) const {
  if (!mapping_ || part.empty()) return;
  // Reading a page may bring in others around it, also such as were released before.
  constexpr std::size_t kAround = std::size_t{4} << 20;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = static_cast<std::size_t>(part.data() - bytes_.data());
  const std::size_t first = (begin - std::min(begin, kAround)) / page * page;
  const std::size_t size = begin + part.size() - first;
  ::madvise(static_cast<std::byte*>(mapping_) + first, size, MADV_DONTNEED);
}

void FileBytes::read_all(int file) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  std::size_t size = 0;
  while (true) {
    if (storage_.size() < size + kChunk) {
      const std::size_t wanted = 2 * size + kChunk;
      if (size > 100 * kChunk)
        require_memory(static_cast<double>(wanted), path_, "give a regular file, which need not be read at once");
      storage_.resize(wanted);
    }
    const ssize_t count = ::read(file, storage_.data() + size, storage_.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) bad_file(path_, "cannot be read beyond byte {} ({})", size, std::strerror(errno));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes_ = {storage_.data(), size};
}

std::shared_ptr<const FileBytes> open_file(const std::string& path) {
  auto file = std::make_shared<const FileBytes>(path);
  if (file->bytes().empty()) bad_file(path, "is empty: give a file that was written to its end");
  return file;
}

}  // namespace foldout
