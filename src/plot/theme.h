// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace foldout {

/// Colours of text, axes and background: those of the page around a figure, or fixed ones.
enum class Theme : std::uint8_t { kAuto, kLight, kDark };

/// "light" or "dark"; "auto" is kAuto, or kLight if the colours must be `fixed`. Throws InvalidArgument for others.
[[nodiscard]] Theme parse_theme(std::string_view name, bool fixed);

/// "#rrggbb" of text and background; of kAuto those of kLight.
[[nodiscard]] std::string_view ink_of(Theme theme);
[[nodiscard]] std::string_view paper_of(Theme theme);

}  // namespace foldout
