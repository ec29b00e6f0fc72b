// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace foldout {

/// "#rrggbb" of class number `i`. There are ten colours; together with class_mark() sixty classes differ.
[[nodiscard]] std::string class_color(std::size_t i);

/// The mark of class number `i`, as the path of an SVG drawing about 8 pixels wide around the origin: discs for the
/// first ten classes, then squares, triangles, crosses, rings and bars.
[[nodiscard]] std::string_view class_mark(std::size_t i);

/// "#rrggbb" of a fraction from 0 (dark purple) to 1 (yellow).
[[nodiscard]] std::string ramp_color(double share);

}  // namespace foldout
