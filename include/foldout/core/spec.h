// SPDX-License-Identifier: Apache-2.0
// The text form of every component: "name" or "name:key=value,key=value".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] foldout {

struct ComponentSpec {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;

  /// Throws InvalidArgument if the text does not have that form or gives a key twice.
  static ComponentSpec parse(std::string_view text);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] const std::string* find(std::string_view key) const;
};

}  // namespace foldout
