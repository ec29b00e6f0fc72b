// SPDX-License-Identifier: Apache-2.0
#include "io/text_source.h"

#include <fstream>
#include <iostream>
#include <streambuf>
#include <vector>

#include "io/bad_file.h"
#include "io/byte_source.h"
#include "io/file_bytes.h"

namespace foldout {
namespace {

class Unpacked final : public std::streambuf {
 public:
  explicit Unpacked(const std::string& path)
      : file_(open_file(path)), source_(file_->bytes(), Wrapping::kGzip, path), buffer_(std::size_t{1} << 16) {}

 protected:
  int_type underflow() override {
    const std::size_t count = source_.read(std::as_writable_bytes(std::span(buffer_)));
    setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(buffer_[0]);
  }

 private:
  std::shared_ptr<const FileBytes> file_;
  Inflater source_;
  std::vector<char> buffer_;
};

class UnpackedStream final : public std::istream {
 public:
  explicit UnpackedStream(const std::string& path) : std::istream(nullptr), buffer_(path) { rdbuf(&buffer_); }

 private:
  Unpacked buffer_;
};

}  // namespace

bool is_packed_text(const std::string& file) {
  for (const char* ending : {".csv.gz", ".tsv.gz", ".txt.gz", ".jsonl.gz"})
    if (file.ends_with(ending)) return true;
  return false;
}

std::shared_ptr<std::istream> open_text(const Location& location) {
  if (location.format == Format::kStandardStream) return {std::shared_ptr<void>(), &std::cin};
  if (is_packed_text(location.file)) return std::make_shared<UnpackedStream>(location.file);
  auto file = std::make_shared<std::ifstream>(location.file, std::ios::binary);
  if (!*file) bad_file(location.file, "cannot be opened: check its permissions");
  const bool at_end = file->peek() == std::ifstream::traits_type::eof();
  if (file->bad()) bad_file(location.file, "cannot be read: check the disk");
  if (at_end) bad_file(location.file, "is empty: give a file with one row per sample");
  return file;
}

}  // namespace foldout
