// SPDX-License-Identifier: Apache-2.0
// A map as a figure: SVG, or PNG rasterised from it.
#pragma once

#include <string>
#include <vector>

#include "plot/map_view.h"
#include "plot/theme.h"

namespace foldout {

struct FigureOptions {
  std::string title = {};               ///< empty: that of the view
  std::vector<Index> coordinates = {};  ///< two or three, counted from 1; empty: the first two
  int width = 800;                      ///< in pixels, 200 … 8000
  Theme theme = Theme::kAuto;
  bool thumbnails = false;  ///< images on the map, where there is room
};

/// Coloured by label if there are labels. Three coordinates are drawn in perspective inside a box. Throws
/// InvalidArgument for coordinates that the map does not have.
[[nodiscard]] std::string svg_map(const MapView& view, const FigureOptions& options);
/// The bytes of a PNG file.
[[nodiscard]] std::string png_map(const MapView& view, const FigureOptions& options);

/// Rasterises an SVG drawing at `scale` pixels per unit. Throws NumericalError if that fails.
[[nodiscard]] std::string rasterise(const std::string& svg, double scale);

}  // namespace foldout
