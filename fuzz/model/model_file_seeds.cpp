// SPDX-License-Identifier: Apache-2.0
// Writes a small model file of every kind of map and step into a folder: the seeds of fuzz_model_file.
#include "model/models.h"

#include <fmt/format.h>

#include <fstream>
#include <string>

int main(int argc, char** argv) {
  using namespace foldout;
  if (argc != 2) return 2;
  int number = 0;
  for (const ModelSpec& spec : small_specs()) {
    const auto bytes = file_of(spec);
    std::ofstream file(fmt::format("{}/seed_{}.fold", argv[1], number++), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file) return 1;
  }
  return 0;
}
