// SPDX-License-Identifier: Apache-2.0
// A scatter plot of two coordinates as SVG: a separate file, or part of a page (plot/html_page.h). Text and axes
// inherit the colour of the page, for light and dark pages.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/dataset.h"
#include "foldout/core/types.h"
#include "plot/theme.h"

namespace foldout {

/// A line in the units of the coordinates, and a text in its plane.
struct ScatterLine {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};
struct ScatterText {
  double x = 0, y = 0;
  std::string text = {};
};

struct ScatterOptions {
  std::string title = {};
  std::string x_label = {}, y_label = {}, z_label = {};
  std::vector<std::string> classes = {};  ///< one per sample: coloured by class, with a legend
  std::vector<double> values = {};        ///< one per sample: coloured along a ramp; not together with classes
  std::string values_label = {};          ///< what the values are
  std::vector<bool> is_new = {};          ///< one per sample: new samples are diamonds, training samples discs
  std::vector<std::string> hover = {};    ///< one per sample: shown when the pointer rests on it
  const Matrix* images = nullptr;         ///< a row of pixels per sample: thumbnails are drawn where there is room
  ImageShape image = {};                  ///< their shape
  std::vector<double> depth = {};         ///< one per sample: of a projection, distant ones are smaller and behind
  std::vector<ScatterLine> box = {};      ///< drawn instead of the axes, with its names
  std::vector<ScatterText> box_names = {};
  Theme theme = Theme::kAuto;
  bool equal_scale = false;       ///< one unit is as long on both axes
  int width = 640, height = 480;  ///< of the drawing, in pixels, ≥ 200
};

/// `coordinates` has two columns. Ten colours and six marks tell sixty classes apart; up to 16 are listed in a legend,
/// in natural order, more are named on the map where there is room. Values are coloured by viridis.
[[nodiscard]] std::string svg_scatter(const MatrixRef& coordinates, const ScatterOptions& options = {});

}  // namespace foldout
