// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace foldout {

/// "#rrggbb" of class number `i`.
[[nodiscard]] std::string class_color(std::size_t i);

/// "#rrggbb" of a fraction from 0 (dark purple) to 1 (yellow).
[[nodiscard]] std::string ramp_color(double share);

}  // namespace foldout
