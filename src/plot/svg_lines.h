// SPDX-License-Identifier: Apache-2.0
// A line chart as SVG: measures against a parameter, with spread; also single points with spread in both directions.
#pragma once

#include <string>
#include <vector>

namespace foldout {

struct LineSeries {
  std::string name = {};
  std::vector<double> x = {}, y = {};
  std::vector<double> spread = {};  ///< of y, one per point; may be empty
};

struct LineMark {
  double x = 0;
  std::string text = {};
};

struct LineOptions {
  std::string title = {}, x_label = {}, y_label = {};
  bool logarithmic_x = false;             ///< then all x are positive
  std::vector<std::string> x_names = {};  ///< of x = 0, 1, 2, …: points without lines between them
  bool from_zero = false;                 ///< the y axis includes 0
  std::vector<LineMark> marks = {};       ///< vertical lines, such as the value in use
  int width = 640, height = 400;          ///< in pixels, ≥ 200
};

/// Series differ in colour, mark and dashes; the legend lists them in the order of their last values. Throws
/// InvalidArgument if there is no point, or one that is not finite.
[[nodiscard]] std::string svg_lines(const std::vector<LineSeries>& series, const LineOptions& options = {});

}  // namespace foldout
