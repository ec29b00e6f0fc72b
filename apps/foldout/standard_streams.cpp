// SPDX-License-Identifier: Apache-2.0
#include "standard_streams.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <streambuf>

#include "foldout/core/error.h"
#include "session.h"

namespace foldout::cli {
namespace {

class Input final : public std::streambuf {
 protected:
  int_type underflow() override {
    ssize_t count = 0;
    do count = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
    while (count < 0 && errno == EINTR && !was_interrupted());
    if (count <= 0) return traits_type::eof();
    setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
    return traits_type::to_int_type(buffer_[0]);
  }
  std::streamsize showmanyc() override {
    int ready = 0;
    return ::ioctl(STDIN_FILENO, FIONREAD, &ready) == 0 ? ready : 0;
  }

 private:
  std::array<char, 1 << 16> buffer_{};
};

}  // namespace

void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)  // open() takes the smallest number that is free
      (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void let_signals_end_standard_input() {
  static Input input;
  std::cin.rdbuf(&input);
}

void finish_standard_output() {
  const bool written = std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (!written)
    throw IoError("standard output could not be written to its end: is the disk full, or the reading program gone?");
}

}  // namespace foldout::cli
