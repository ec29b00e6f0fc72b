// SPDX-License-Identifier: Apache-2.0
#include "io/json_lines.h"

#include <cstdlib>

#include "fuzz_target.h"
#include "memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  const std::string& path = memory_file(data, size);
  return fuzz_once(data, size, [&](std::span<const std::byte>) {
    JsonLines lines({.path = path, .file = path, .key = "", .format = Format::kJsonLines}, {});
    for (Matrix block; lines.next(block, 3);)
      if (block.rows() < 1 || block.cols() != lines.info().n_features || !block.allFinite()) std::abort();
  });
}
