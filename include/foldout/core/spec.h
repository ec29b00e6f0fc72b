// SPDX-License-Identifier: Apache-2.0
// The one spelling of every component: "name" or "name:key=value,key=value".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] foldout {

struct ComponentSpec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;

  /// Throws InvalidArgument where the text is not of that form or names a key twice.
  static ComponentSpec parse(std::string_view text);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const std::string* find(std::string_view key) const;
};

}  // namespace foldout
