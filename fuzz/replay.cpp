// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target once on every file of the given folders, without libFuzzer: the tests replay seeds and findings,
// and notice a target that no longer compiles.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* /*data*/, std::size_t size, std::size_t /*max_size*/) {
  return size;
}

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i)
    if (std::filesystem::is_directory(argv[i]))
      for (const auto& entry : std::filesystem::directory_iterator(argv[i])) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& path : files) {
    std::ifstream stream(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    std::cout << path.filename().string() << std::endl;  // the last line names the file that aborts
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::cout << files.size() << " files\n";
  return files.empty() ? 1 : 0;
}
