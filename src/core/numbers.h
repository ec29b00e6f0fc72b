// SPDX-License-Identifier: Apache-2.0
// Private: locale-independent parsing of numbers.
#pragma once

#include <string_view>

namespace foldout {

/// Parses a number at the start of [begin, end); returns its end, or null. Underflow gives 0, overflow infinity.
[[nodiscard]] const char* parse_number(const char* begin, const char* end, double& value);

/// Whether all of the cell is a number ("nan" and "inf" are).
[[nodiscard]] bool is_number(std::string_view cell);

}  // namespace foldout
