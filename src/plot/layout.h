// SPDX-License-Identifier: Apache-2.0
// Which texts and images can be drawn without covering each other.
#pragma once

#include <string>
#include <vector>

namespace foldout {

/// A rectangle that something would occupy, in pixels.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;

  [[nodiscard]] bool overlaps(const Box& other) const {
    return x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height;
  }
};

/// The boxes that are kept, in their order: each one that lies within `frame` and does not overlap one kept before.
[[nodiscard]] std::vector<std::size_t> without_overlap(const std::vector<Box>& boxes, const Box& frame);

/// About as wide as the text is, in pixels, for characters of this size.
[[nodiscard]] double text_width(const std::string& text, double font_size);

}  // namespace foldout
