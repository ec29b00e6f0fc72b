// SPDX-License-Identifier: Apache-2.0
#include "plot/layout.h"

#include <algorithm>

namespace foldout {

std::vector<std::size_t> without_overlap(const std::vector<Box>& boxes, const Box& frame) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    const bool inside = box.x >= frame.x && box.y >= frame.y && box.x + box.width <= frame.x + frame.width &&
                        box.y + box.height <= frame.y + frame.height;
    if (inside && std::ranges::none_of(kept, [&](std::size_t k) { return boxes[k].overlaps(box); })) kept.push_back(i);
  }
  return kept;
}

double text_width(const std::string& text, double font_size) {
  const auto characters = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });  // UTF-8
  return 0.58 * font_size * static_cast<double>(characters);
}

}  // namespace foldout
