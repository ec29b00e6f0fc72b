// SPDX-License-Identifier: Apache-2.0
#include "plot/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace foldout {

std::vector<double> round_ticks(double low, double high, int about) {
  const double wish = (high - low) / about, power = std::pow(10.0, std::floor(std::log10(wish)));
  const double share = wish / power;
  const double step = power * (share <= 1.5 ? 1 : share <= 3.5 ? 2 : share <= 7.5 ? 5 : 10);
  std::vector<double> ticks;
  const double slack = 1e-9 * step;
  for (double i = std::ceil((low - slack) / step); i * step <= high + slack; ++i)
    ticks.push_back(i == 0 ? 0.0 : i * step);
  return ticks;
}

Axis axis_around(double least, double largest, double pixel_low, double pixel_high) {
  // If all values are (nearly) equal, the margin follows their magnitude.
  const double size = std::max(std::abs(least), std::abs(largest));
  const double spread = largest - least;
  const double margin = spread > 1e-12 * size ? 0.04 * spread : (size > 0 ? 0.5 * size : 1.0);
  return {least - margin, largest + margin, pixel_low, pixel_high};
}

}  // namespace foldout
