// SPDX-License-Identifier: Apache-2.0
// A whole file, whose format is recognised by its first bytes: in blocks, twice, and all at once.
#include <cstdlib>

#include "foldout/io/files.h"
#include "fuzz_target.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  const std::string& path = memory_file(data, size);
  return fuzz_once(data, size, [&](std::span<const std::byte>) {
    const auto stream = open_stream(path);
    for (int pass = 0; pass < 2; ++pass, stream->restart())
      for (Matrix block; stream->next(block, 3);)
        if (block.rows() < 1 || block.cols() != stream->info().n_features || !block.allFinite()) std::abort();
    (void)load_dataset(path);
  });
}
