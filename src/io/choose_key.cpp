// SPDX-License-Identifier: Apache-2.0
#include "io/choose_key.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "io/bad_file.h"

namespace foldout {
namespace {

constexpr std::array<std::string_view, 4> kSampleKeys = {"X", "data", "fea", "samples"};
constexpr std::array<std::string_view, 5> kLabelKeys = {"y", "labels", "label", "gnd", "target"};

template <std::size_t N>
std::optional<std::string> first_of(const std::array<std::string_view, N>& wanted,
                                    const std::vector<std::string>& keys) {
  for (const std::string_view key : wanted)
    if (std::ranges::find(keys, key) != keys.end()) return std::string(key);
  return std::nullopt;
}

[[noreturn]] void fail(const std::vector<std::string>& keys, const std::string& name) {
  if (keys.empty()) bad_file(name, "has no array in it that could be meant: is it the right file?");
  bad_file(name, "has several arrays: say which one, as {}:{}; it has: {}", name, keys[0], fmt::join(keys, ", "));
}

}  // namespace

std::string choose_samples(const std::vector<std::string>& keys, const std::string& name) {
  if (const auto key = first_of(kSampleKeys, keys)) return *key;
  std::vector<std::string> candidates;
  for (const std::string& key : keys)
    if (std::ranges::find(kLabelKeys, key) == kLabelKeys.end()) candidates.push_back(key);
  if (candidates.size() == 1) return candidates[0];
  if (keys.size() == 1) return keys[0];
  fail(keys, name);
}

std::optional<std::string> find_labels(const std::vector<std::string>& keys) { return first_of(kLabelKeys, keys); }

std::string choose_labels(const std::vector<std::string>& keys, const std::string& name) {
  if (const auto key = find_labels(keys)) return *key;
  if (keys.size() == 1) return keys[0];
  fail(keys, name);
}

}  // namespace foldout
