// SPDX-License-Identifier: Apache-2.0
// Versions 5 to 7. Version 7.3 is refused, since the file is not declared trusted.
#include "io/mat.h"

#include "fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  return fuzz_once(data, size, [](std::span<const std::byte> bytes) {
    const MatReader mat(bytes, "fuzz");
    for (const MatVariable& variable : mat.variables())
      if (variable.kind == MatVariable::Kind::kText || variable.kind == MatVariable::Kind::kTexts)
        (void)mat.read_labels(variable.name);
      else if (variable.kind == MatVariable::Kind::kNumbers || variable.kind == MatVariable::Kind::kSparse)
        use_array(mat.read(variable.name));
  });
}
