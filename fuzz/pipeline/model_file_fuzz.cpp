// SPDX-License-Identifier: Apache-2.0
// A model file of any bytes is refused with IoError or is usable: what loads must also place a sample.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "foldout/core/error.h"
#include "foldout/pipeline/model_file.h"
#include "pipeline/seal.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace foldout;
  std::vector<std::uint8_t> bytes(data, data + size);
  // A valid checksum, so that the mutations reach what lies behind it.
  if (const auto digits = find_checksum_digits(bytes))
    std::ranges::copy(checksum_digits(bytes, *digits), bytes.begin() + static_cast<std::ptrdiff_t>(*digits));
  try {
    const Model model = from_archive(decode_archive(bytes, "fuzz"));
    if (model.map && model.n_features <= 1000) (void)model.transform(Matrix::Constant(2, model.n_features, 0.5));
  } catch (const IoError&) {
  } catch (const InvalidArgument&) {
  } catch (const NumericalError&) {
  }
  return 0;
}
