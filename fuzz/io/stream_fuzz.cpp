// SPDX-License-Identifier: Apache-2.0
// A whole file, whose format is recognised by its first bytes: in blocks, twice, and all at once.
#include "foldout/io/files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  static const int file = memfd_create("fuzz", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) return 0;
  return fuzz_once(data, size, [](std::span<const std::byte>) {
    const auto stream = open_stream(path);
    for (int pass = 0; pass < 2; ++pass, stream->restart())
      for (Matrix block; stream->next(block, 3);)
        if (block.rows() < 1 || block.cols() != stream->info().n_features || !block.allFinite()) std::abort();
    (void)load_dataset(path);
  });
}
