// SPDX-License-Identifier: Apache-2.0
// The palette of Okabe and Ito (2008), with black and yellow adapted to light and dark pages, and with purple and
// brown; the ramp is viridis (Smith and van der Walt 2015) at nine points, linear between them.
#include "plot/color.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace foldout {
namespace {

using Rgb = std::array<double, 3>;

constexpr std::array<Rgb, 10> kClasses{{{0, 114, 178},
                                        {230, 159, 0},
                                        {0, 158, 115},
                                        {204, 121, 167},
                                        {86, 180, 233},
                                        {213, 94, 0},
                                        {221, 204, 50},
                                        {128, 128, 128},
                                        {137, 87, 190},
                                        {140, 81, 48}}};
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

constexpr std::array<std::string_view, 6> kMarks{
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "M-3.6 -3.6h7.2v7.2h-7.2z",
    "M0 -4.4L4.4 3.4H-4.4z",
    "M-4 -1.4h2.6v-2.6h2.8v2.6h2.6v2.8h-2.6v2.6h-2.8v-2.6h-2.6z",
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0zM-2 0a2 2 0 1 1 4 0a2 2 0 1 1 -4 0z",
    "M-1.5 -4.5h3v9h-3z"};

}  // namespace

std::string class_color(std::size_t i) { return hex(kClasses[i % kClasses.size()]); }

std::string_view class_mark(std::size_t i) { return kMarks[i / kClasses.size() % kMarks.size()]; }

std::string ramp_color(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kRamp.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), kRamp.size() - 2);
  const double t = place - static_cast<double>(low);
  Rgb color{};
  for (std::size_t c = 0; c < 3; ++c) color[c] = (1 - t) * kRamp[low][c] + t * kRamp[low + 1][c];
  return hex(color);
}

}  // namespace foldout
