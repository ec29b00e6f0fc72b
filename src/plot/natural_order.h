// SPDX-License-Identifier: Apache-2.0
// The order in which people expect names: person 2 before person 10.
#pragma once

#include <string_view>

namespace foldout {

/// Whether `a` comes before `b`: digits are compared as numbers, other characters bytewise. A strict weak order.
[[nodiscard]] bool comes_before(std::string_view a, std::string_view b);

struct NaturalOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const { return comes_before(a, b); }
};

}  // namespace foldout
