// SPDX-License-Identifier: Apache-2.0
// The palette of Okabe and Ito (2008), with black and yellow adapted to light and dark pages; the ramp is viridis
// (Smith and van der Walt 2015) at nine points, linear between them.
#include "plot/color.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace foldout {
namespace {

using Rgb = std::array<double, 3>;

constexpr std::array<Rgb, 8> kClasses{{{0, 114, 178},
                                       {230, 159, 0},
                                       {0, 158, 115},
                                       {204, 121, 167},
                                       {86, 180, 233},
                                       {213, 94, 0},
                                       {221, 204, 50},
                                       {128, 128, 128}}};
constexpr std::array<Rgb, 9> kRamp{{{68, 1, 84},
                                    {71, 44, 122},
                                    {59, 81, 139},
                                    {44, 113, 142},
                                    {33, 144, 141},
                                    {39, 173, 129},
                                    {92, 200, 99},
                                    {170, 220, 50},
                                    {253, 231, 37}}};

std::string hex(const Rgb& c) {
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(c[0]), std::lround(c[1]), std::lround(c[2]));
}

// Hue in turns, at the given lightness and saturation.
Rgb from_hue(double hue, double lightness, double saturation) {
  const double reach = saturation * std::min(lightness, 1 - lightness);
  const auto channel = [&](double offset) {
    const double k = std::fmod(offset + 12 * hue, 12.0);
    return 255 * (lightness - reach * std::clamp(std::min(k - 3, 9 - k), -1.0, 1.0));
  };
  return {channel(0), channel(8), channel(4)};
}

}  // namespace

std::string class_color(std::size_t i) {
  if (i < kClasses.size()) return hex(kClasses[i]);
  constexpr double kGoldenTurn = 0.6180339887498949;  // spreads any number of hues
  return hex(from_hue(std::fmod(kGoldenTurn * static_cast<double>(i), 1.0), i % 2 == 0 ? 0.42 : 0.62, 0.65));
}

std::string ramp_color(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kRamp.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), kRamp.size() - 2);
  const double t = place - static_cast<double>(low);
  Rgb color{};
  for (std::size_t c = 0; c < 3; ++c) color[c] = (1 - t) * kRamp[low][c] + t * kRamp[low + 1][c];
  return hex(color);
}

}  // namespace foldout
