// SPDX-License-Identifier: Apache-2.0
#include "model/sealed_file.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>
#include <nlohmann/json.hpp>

namespace foldout {
namespace {

std::size_t header_length(const Bytes& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  return static_cast<std::size_t>(length);
}

}  // namespace

std::string header_text(const Bytes& file) {
  std::string text(reinterpret_cast<const char*>(file.data()) + 8, header_length(file));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

Bytes data_of(const Bytes& file) {
  return {file.begin() + 8 + static_cast<std::ptrdiff_t>(header_length(file)), file.end()};
}

Bytes sealed(const std::string& header, const Bytes& data) {
  std::string text = header;
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  Bytes file(8 + text.size());
  std::memcpy(file.data(), &length, sizeof length);
  std::memcpy(file.data() + 8, text.data(), text.size());
  file.insert(file.end(), data.begin(), data.end());
  const std::string key = R"("checksum":"xxh3:)";
  const std::size_t found = text.find(key);
  if (found == std::string::npos || found + key.size() + 32 > text.size()) return file;
  const std::size_t digits = 8 + found + key.size();
  Bytes summed(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(digits));
  summed.insert(summed.end(), file.begin() + static_cast<std::ptrdiff_t>(digits + 32), file.end());
  const XXH128_hash_t hash = XXH3_128bits(summed.data(), summed.size());
  const std::string sum = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  std::memcpy(file.data() + digits, sum.data(), 32);
  return file;
}

Bytes with_header(const Bytes& file, const std::function<void(nlohmann::json&)>& change) {
  auto header = nlohmann::json::parse(header_text(file));
  change(header);
  return sealed(header.dump(), data_of(file));
}

}  // namespace foldout
