// SPDX-License-Identifier: Apache-2.0
#include "plot/theme.h"

#include <fmt/format.h>

#include "foldout/core/error.h"

namespace foldout {

Theme parse_theme(std::string_view name, bool fixed) {
  if (name == "auto") return fixed ? Theme::kLight : Theme::kAuto;
  if (name == "light") return Theme::kLight;
  if (name == "dark") return Theme::kDark;
  throw InvalidArgument(fmt::format("theme '{}': must be light or dark", name));
}

std::string_view ink_of(Theme theme) { return theme == Theme::kDark ? "#e4e6ea" : "#222222"; }
std::string_view paper_of(Theme theme) { return theme == Theme::kDark ? "#15171b" : "#ffffff"; }

}  // namespace foldout
