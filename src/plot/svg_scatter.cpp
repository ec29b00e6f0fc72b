// SPDX-License-Identifier: Apache-2.0
// The frame of a scatter plot: axes or box, legend and ramp.
#include "plot/svg_scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/check.h"
#include "foldout/core/error.h"
#include "plot/color.h"
#include "plot/markup.h"
#include "plot/scatter_drawing.h"

namespace foldout {
namespace {

constexpr std::string_view kQuiet = "fill=\"currentColor\" fill-opacity=\"0.65\"";

// No more digits than a reader needs.
std::string number(double value) { return fmt::format("{:.5g}", value); }

void check(const MatrixRef& coordinates, const ScatterOptions& o) {
  require_samples(coordinates, 1, "scatter plot");
  if (coordinates.cols() != 2)
    reject("scatter plot: columns", static_cast<double>(coordinates.cols()), "must be 2: choose two coordinates");
  if (o.width < 200) reject("scatter plot: width", o.width, "must be at least 200 pixels");
  if (o.height < 200) reject("scatter plot: height", o.height, "must be at least 200 pixels");
  if (!o.classes.empty() && !o.values.empty())
    throw InvalidArgument("scatter plot: samples are coloured by classes or by values: give one of them");
  const auto fits = [&](std::size_t size, std::string_view name) {
    if (size != 0 && static_cast<Index>(size) != coordinates.rows())
      throw InvalidArgument(fmt::format("scatter plot: {} {} for {} samples: give one per sample, or none", size, name,
                                        coordinates.rows()));
  };
  fits(o.classes.size(), "classes");
  fits(o.values.size(), "values");
  fits(o.is_new.size(), "is_new marks");
  fits(o.hover.size(), "hover texts");
  fits(o.depth.size(), "depths");
  if (o.images) fits(static_cast<std::size_t>(o.images->rows()), "images");
  if (!std::ranges::all_of(o.values, [](double v) { return std::isfinite(v); }))
    throw InvalidArgument("scatter plot: every value must be finite: leave out samples without one");
}

}  // namespace

ScatterDrawing::ScatterDrawing(const MatrixRef& coordinates, const ScatterOptions& options)
    : Y_(coordinates), o_(options) {
  for (const std::string& name : o_.classes) classes_.emplace(name, 0);
  std::size_t next = 0;
  for (auto& [name, i] : classes_) i = next++;
  if (!o_.values.empty()) {
    const auto [least, largest] = std::ranges::minmax(o_.values);
    least_ = least;
    largest_ = largest;
  }
  any_new_ = std::ranges::find(o_.is_new, true) != o_.is_new.end();
  place_axes();
}

std::string ScatterDrawing::svg() {
  // Colours are inherited from the page around the figure; a separate file has none.
  const bool fixed = o_.theme != Theme::kAuto;
  put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "aria-label=\"{2}\" font-family=\"system-ui, DejaVu Sans, sans-serif\" font-size=\"12\"{3}>\n",
      o_.width, o_.height, escape(o_.title.empty() ? "scatter plot" : o_.title),
      fixed ? fmt::format(" color=\"{}\"", ink_of(o_.theme)) : "");
  if (fixed)
    put("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", paper_of(o_.theme));
  else
    put("<style>:root {{ color-scheme: light dark; color: light-dark(#222, #ddd); }} "
        ".halo {{ stroke: light-dark(#fff, #15171b); }}</style>\n");
  if (!o_.title.empty())
    put("<text x=\"{}\" y=\"22\" font-size=\"15\" font-weight=\"600\" fill=\"currentColor\">{}</text>\n",
        number(x_.pixel_low), escape(o_.title));
  if (o_.box.empty())
    draw_axes();
  else
    draw_box();
  draw_samples();
  if (o_.images) draw_images();
  if (classes_.size() > kMostInLegend) draw_names();
  if (has_legend()) draw_legend();
  if (!o_.values.empty()) draw_ramp();
  put("</svg>\n");
  return std::move(out_);
}

void ScatterDrawing::place_axes() {
  double side = any_new_ || !o_.values.empty() ? 96 : 16;
  if (classes_.size() <= kMostInLegend)
    for (const auto& [name, i] : classes_)
      side = std::max(side, std::min(40 + text_width(std::string(name), 12), 0.3 * o_.width));
  const double right = o_.width - side;
  const double top = o_.title.empty() ? 14 : 36, bottom = o_.height - (o_.x_label.empty() ? 28 : 44);
  double least_x = Y_.col(0).minCoeff(), most_x = Y_.col(0).maxCoeff();
  double least_y = Y_.col(1).minCoeff(), most_y = Y_.col(1).maxCoeff();
  for (const ScatterLine& line : o_.box) {
    least_x = std::min({least_x, line.x1, line.x2});
    most_x = std::max({most_x, line.x1, line.x2});
    least_y = std::min({least_y, line.y1, line.y2});
    most_y = std::max({most_y, line.y1, line.y2});
  }
  y_ = axis_around(least_y, most_y, bottom, top);
  double numbers = 0;  // the width of the numbers at the axis
  for (const double t : round_ticks(y_.low, y_.high, 5)) numbers = std::max(numbers, text_width(number(t), 12));
  const double left = (o_.y_label.empty() ? 16 : 26) + numbers;
  x_ = axis_around(least_x, most_x, left, right);
  if (!o_.equal_scale && o_.box.empty()) return;
  const double unit = std::max((x_.high - x_.low) / (right - left), (y_.high - y_.low) / (bottom - top));
  const auto widen = [&](Axis& axis) {
    const double middle = 0.5 * (axis.low + axis.high);
    const double half = 0.5 * unit * std::abs(axis.pixel_high - axis.pixel_low);
    axis.low = middle - half;
    axis.high = middle + half;
  };
  widen(x_);
  widen(y_);
}

void ScatterDrawing::draw_axes() {
  put("<g stroke=\"currentColor\" stroke-opacity=\"0.12\">\n");
  constexpr double kPixelsPerNumber = 63;  // prevents overlap
  const int about = std::clamp(static_cast<int>((x_.pixel_high - x_.pixel_low) / kPixelsPerNumber), 2, 6);
  const std::vector<double> xs = round_ticks(x_.low, x_.high, about), ys = round_ticks(y_.low, y_.high, 5);
  for (const double t : xs) put("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", x_.at(t), y_.pixel_low, y_.pixel_high);
  for (const double t : ys) put("<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/>\n", x_.pixel_low, y_.at(t), x_.pixel_high);
  put("</g>\n<g {}>\n", kQuiet);
  for (const double t : xs)
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x_.at(t), y_.pixel_low + 17, number(t));
  for (const double t : ys)
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x_.pixel_low - 7, y_.at(t) + 4, number(t));
  const double middle_x = 0.5 * (x_.pixel_low + x_.pixel_high), middle_y = 0.5 * (y_.pixel_low + y_.pixel_high);
  if (!o_.x_label.empty())
    put("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", middle_x, o_.height - 8, escape(o_.x_label));
  if (!o_.y_label.empty())
    put("<text transform=\"translate(13 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", middle_y,
        escape(o_.y_label));
  put("</g>\n");
}

void ScatterDrawing::draw_box() {
  put("<g stroke=\"currentColor\" stroke-opacity=\"0.25\">\n");
  for (const ScatterLine& line : o_.box)
    put("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", x_.at(line.x1), y_.at(line.y1), x_.at(line.x2), y_.at(line.y2));
  put("</g>\n<g {}>\n", kQuiet);
  for (const ScatterText& name : o_.box_names)
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x_.at(name.x), y_.at(name.y),
        escape(name.text));
  put("</g>\n");
}

std::size_t ScatterDrawing::class_of(Index i) const {
  return classes_.empty() ? 0 : classes_.at(o_.classes[static_cast<std::size_t>(i)]);
}

std::string ScatterDrawing::color(Index i) const {
  const auto at = static_cast<std::size_t>(i);
  if (!classes_.empty()) return class_color(classes_.at(o_.classes[at]));
  if (!o_.values.empty()) return ramp_color(share(o_.values[at]));
  return class_color(0);
}

double ScatterDrawing::share(double value) const {
  return largest_ > least_ ? (value - least_) / (largest_ - least_) : 0.5;
}

void ScatterDrawing::draw_legend() {
  const double x = x_.pixel_high + 18;
  double y = y_.pixel_high + (o_.values.empty() ? 8 : 190);
  const auto line = [&](std::string_view text, std::string_view mark_color, bool diamond, std::size_t mark = 0) {
    draw_mark(x, y - 4, 4, diamond, mark_color, {}, mark);
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"currentColor\">{}</text>\n", x + 11, y, escape(text));
    y += 19;
  };
  if (any_new_) {
    line("training", "currentColor", false);
    line("new", "currentColor", true);
    y += 8;
  }
  if (classes_.size() > kMostInLegend) return;
  for (const auto& [name, i] : classes_) line(name, class_color(i), false, i);
}

void ScatterDrawing::draw_ramp() {
  const double x = x_.pixel_high + 18, top = y_.pixel_high + 14, height = 140;
  put("<defs><linearGradient id=\"ramp\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">");
  for (int i = 0; i <= 8; ++i) put("<stop offset=\"{}\" stop-color=\"{}\"/>", i / 8.0, ramp_color(i / 8.0));
  put("</linearGradient></defs>\n<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"{}\" fill=\"url(#ramp)\"/>\n", x,
      top, height);
  put("<g {}>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kQuiet, x, top - 7, escape(o_.values_label));
  put("<text x=\"{0:.1f}\" y=\"{1:.1f}\">{2}</text>\n<text x=\"{0:.1f}\" y=\"{3:.1f}\">{4}</text>\n</g>\n", x + 18,
      top + 9, number(largest_), top + height, number(least_));
}

std::string svg_scatter(const MatrixRef& coordinates, const ScatterOptions& options) {
  check(coordinates, options);
  return ScatterDrawing(coordinates, options).svg();
}

}  // namespace foldout
