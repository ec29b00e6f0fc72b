// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"

#include <sstream>

#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  return fuzz_once(data, size, [](std::span<const std::byte> bytes) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const Blocks blocks : {Blocks::kAtHand, Blocks::kFull}) {
      std::istringstream rows(text);
      CsvReader reader(rows, "fuzz", LabelColumn::kRecognised, blocks);
      for (Matrix block; reader.next(block, 3);) continue;
    }
  });
}
