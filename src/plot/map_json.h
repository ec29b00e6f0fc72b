// SPDX-License-Identifier: Apache-2.0
// A map as the data of the explorer page: a JSON object whose numbers are columns in base64.
//
// A column is {"type": "f32" | "u16" | "u32" | "q16", "data": base64, "low", "high"}; "q16" are 16-bit numbers that run
// from low to high. What would make the page too large is reduced or left out, and listed under "left_out".
#pragma once

#include <string>

#include "plot/map_view.h"

namespace foldout {

/// Every '<' is written \u003c: the text may stand in a script element of a page.
[[nodiscard]] std::string map_json(const MapView& view);

}  // namespace foldout
