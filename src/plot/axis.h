// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace foldout {

/// Maps a range of numbers to a range of pixels.
struct Axis {
  double low = 0, high = 1;              ///< range of numbers
  double pixel_low = 0, pixel_high = 1;  ///< range of pixels

  [[nodiscard]] double at(double value) const {
    return pixel_low + (value - low) / (high - low) * (pixel_high - pixel_low);
  }
};

/// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `about` of them.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int about);

/// The range of the values with a margin on both sides; never empty.
[[nodiscard]] Axis axis_around(double least, double largest, double pixel_low, double pixel_high);

}  // namespace foldout
