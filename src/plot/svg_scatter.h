// SPDX-License-Identifier: Apache-2.0
// A scatter plot of two coordinates as SVG: a separate file, or part of a page (plot/html_page.h). Text and axes
// inherit the colour of the page, for light and dark pages.
#pragma once

#include <string>
#include <vector>

#include "foldout/core/types.h"

namespace foldout {

struct ScatterOptions {
  std::string title = {};
  std::string x_label = {}, y_label = {};
  std::vector<std::string> classes = {};  ///< one per sample: coloured by class, with a legend
  std::vector<double> values = {};        ///< one per sample: coloured along a ramp; not together with classes
  std::string values_label = {};          ///< what the values are
  std::vector<bool> is_new = {};          ///< one per sample: new samples are diamonds, training samples discs
  std::vector<std::string> hover = {};    ///< one per sample: shown when the pointer rests on it
  bool equal_scale = false;               ///< one unit is as long on both axes
  int width = 640, height = 480;          ///< of the drawing, in pixels, ≥ 200
};

/// `coordinates` has two columns. Classes have the eight colours of Okabe and Ito, safe for the colour-blind; further
/// classes have other hues. Values are coloured by viridis.
[[nodiscard]] std::string svg_scatter(const MatrixRef& coordinates, const ScatterOptions& options = {});

}  // namespace foldout
