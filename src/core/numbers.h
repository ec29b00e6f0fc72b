// SPDX-License-Identifier: Apache-2.0
// Private: numbers as text, in every locale alike.
#pragma once

#include <string_view>

namespace foldout {

/// Reads a number at the front of [begin, end); returns where it stops, or null. Too small numbers become 0.
[[nodiscard]] const char* parse_number(const char* begin, const char* end, double& value);

/// Whether all of the cell is a number ("nan" and "inf" are).
[[nodiscard]] bool is_number(std::string_view cell);

}  // namespace foldout
