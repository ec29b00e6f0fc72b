// SPDX-License-Identifier: Apache-2.0
#include "io/npz.h"

#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  return fuzz_once(data, size, [](std::span<const std::byte> bytes) {
    const NpzReader npz(bytes, "fuzz");
    for (const std::string& key : npz.keys()) use_array(npz.read(key));
  });
}
