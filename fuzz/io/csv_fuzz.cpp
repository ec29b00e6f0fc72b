// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"

#include <sstream>

#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  return fuzz_once(data, size, [](std::span<const std::byte> bytes) {
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const bool as_they_arrive : {false, true}) {
      std::istringstream rows(text);
      CsvReader reader(rows, "fuzz", {.as_they_arrive = as_they_arrive});
      for (Matrix block; reader.next(block, 3);) continue;
    }
  });
}
