// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>

#include "core/check.h"
#include "foldout/core/error.h"
#include "plot/axis.h"
#include "plot/color.h"
#include "plot/markup.h"

namespace foldout {
namespace {

constexpr std::string_view kQuiet = "fill=\"currentColor\" fill-opacity=\"0.7\"";
constexpr std::array<std::string_view, 4> kDashes{"", "6 3", "2 3", "9 3 2 3"};

std::string number(double value) { return fmt::format("{:.5g}", value); }

void check(const std::vector<LineSeries>& series, const LineOptions& o) {
  if (o.width < 200) reject("line chart: width", o.width, "must be at least 200 pixels");
  if (o.height < 200) reject("line chart: height", o.height, "must be at least 200 pixels");
  std::size_t points = 0;
  for (const LineSeries& one : series) {
    points += one.x.size();
    if (one.y.size() != one.x.size() || (!one.spread.empty() && one.spread.size() != one.x.size()))
      throw InvalidArgument(
          fmt::format("line chart: series '{}' has {} x, {} y and {} spreads: give one of each per "
                      "point",
                      one.name, one.x.size(), one.y.size(), one.spread.size()));
    for (const auto* values : {&one.x, &one.y, &one.spread})
      if (!std::ranges::all_of(*values, [](double v) { return std::isfinite(v); }))
        throw InvalidArgument(fmt::format("line chart: every value of '{}' must be finite", one.name));
    if (o.logarithmic_x && !std::ranges::all_of(one.x, [](double v) { return v > 0; }))
      throw InvalidArgument(
          fmt::format("line chart: '{}' has an x that is not positive, on a logarithmic axis", one.name));
  }
  if (points == 0) throw InvalidArgument("line chart: no points to draw");
}

class Chart {
 public:
  Chart(const std::vector<LineSeries>& series, const LineOptions& options) : series_(series), o_(options) {
    place_axes();
  }

  std::string svg() {
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
        "aria-label=\"{2}\" font-family=\"system-ui, sans-serif\" font-size=\"12\" color=\"currentColor\">\n",
        o_.width, o_.height, escape(o_.title.empty() ? o_.y_label : o_.title));
    if (!o_.title.empty())
      put("<text x=\"{}\" y=\"20\" font-size=\"14\" font-weight=\"600\" fill=\"currentColor\">{}</text>\n",
          number(x_.pixel_low), escape(o_.title));
    draw_axes();
    for (std::size_t i = 0; i < o_.marks.size(); ++i) draw_mark_line(o_.marks[i], i);
    for (std::size_t s = 0; s < series_.size(); ++s) draw_series(s);
    if (has_legend()) draw_legend();
    put("</svg>\n");
    return std::move(out_);
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  [[nodiscard]] double at_x(double x) const { return x_.at(o_.logarithmic_x ? std::log10(x) : x); }
  [[nodiscard]] bool has_legend() const { return series_.size() > 1 || !series_.front().name.empty(); }

  void place_axes() {
    double least_x = std::numeric_limits<double>::infinity(), most_x = -least_x, least_y = least_x, most_y = -least_x;
    for (const LineSeries& one : series_)
      for (std::size_t i = 0; i < one.x.size(); ++i) {
        const double x = o_.logarithmic_x ? std::log10(one.x[i]) : one.x[i];
        const double spread = one.spread.empty() ? 0 : one.spread[i];
        least_x = std::min(least_x, x);
        most_x = std::max(most_x, x);
        least_y = std::min(least_y, one.y[i] - spread);
        most_y = std::max(most_y, one.y[i] + spread);
      }
    if (o_.from_zero) {
      least_y = std::min(least_y, 0.0);
      most_y = std::max(most_y, 0.0);
    }
    std::size_t longest = 0;
    for (const LineSeries& one : series_) longest = std::max(longest, one.name.size());
    const double side = has_legend() ? std::clamp(44 + 6.6 * static_cast<double>(longest), 80.0, 0.42 * o_.width) : 18;
    y_ = axis_around(least_y, most_y, o_.height - (o_.x_label.empty() ? 28 : 46),
                     (o_.title.empty() ? 14 : 36) + (o_.marks.empty() ? 0 : 12));
    if (o_.from_zero && least_y == 0) y_.low = 0;
    std::size_t widest = 0;
    for (const double t : y_ticks()) widest = std::max(widest, number(t).size());
    x_ = axis_around(least_x, most_x, std::max(58.0, 32 + 7.2 * static_cast<double>(widest)), o_.width - side);
  }

  [[nodiscard]] std::vector<double> y_ticks() const { return round_ticks(y_.low, y_.high, 5); }

  [[nodiscard]] std::vector<double> x_ticks() const {
    if (!o_.x_names.empty()) {
      std::size_t letters = 0;
      for (const std::string& name : o_.x_names) letters += name.size() + 2;
      const auto step =
          static_cast<std::size_t>(std::ceil(7.0 * static_cast<double>(letters) / (x_.pixel_high - x_.pixel_low)));
      std::vector<double> named;  // all of them, or as many as have room
      for (std::size_t i = 0; i < o_.x_names.size(); i += step) named.push_back(static_cast<double>(i));
      return named;
    }
    const int about = std::clamp(static_cast<int>((x_.pixel_high - x_.pixel_low) / 70), 2, 8);
    std::vector<double> ticks = round_ticks(x_.low, x_.high, about);
    if (!o_.logarithmic_x) return ticks;
    std::erase_if(ticks, [](double t) { return t != std::round(t); });
    const bool decades = ticks.size() > 2;  // otherwise also 2 and 5 times a power of ten
    ticks.clear();
    for (int k = static_cast<int>(std::floor(x_.low)); k <= x_.high; ++k)
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double t = factor * std::pow(10, k);
        if ((factor == 1 || !decades) && std::log10(t) >= x_.low && std::log10(t) <= x_.high) ticks.push_back(t);
      }
    return ticks;
  }

  [[nodiscard]] std::string x_text(double t) const {
    return o_.x_names.empty() ? fmt::format("{:.3g}", t) : escape(o_.x_names[static_cast<std::size_t>(t)]);
  }

  void draw_axes() {
    const std::vector<double> xs = x_ticks(), ys = y_ticks();
    put("<g stroke=\"currentColor\" stroke-opacity=\"0.13\">\n");
    for (const double t : xs) put("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>\n", at_x(t), y_.pixel_low, y_.pixel_high);
    for (const double t : ys) put("<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\"/>\n", x_.pixel_low, y_.at(t), x_.pixel_high);
    put("</g>\n<g {}>\n", kQuiet);
    for (const double t : xs)
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", at_x(t), y_.pixel_low + 17, x_text(t));
    for (const double t : ys)
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", x_.pixel_low - 7, y_.at(t) + 4, number(t));
    if (!o_.x_label.empty())
      put("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", 0.5 * (x_.pixel_low + x_.pixel_high),
          o_.height - 8, escape(o_.x_label));
    if (!o_.y_label.empty())
      put("<text transform=\"translate(13 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
          0.5 * (y_.pixel_low + y_.pixel_high), escape(o_.y_label));
    put("</g>\n");
  }

  // The text of the first mark is above the lines, those of others below each other.
  void draw_mark_line(const LineMark& mark, std::size_t i) {
    const double x = at_x(mark.x);
    const bool right = x > 0.5 * (x_.pixel_low + x_.pixel_high);  // the text stays inside
    put("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"currentColor\" stroke-opacity=\"0.6\" stroke-dasharray=\"3 3\"/>\n",
        x, y_.pixel_low, y_.pixel_high);
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"currentColor\">{}</text>\n", x + (right ? -5 : 5),
        y_.pixel_high - 4 + 16 * static_cast<double>(i), right ? "end" : "start", escape(mark.text));
  }

  void draw_point(std::size_t s, double x, double y) {
    put("<path d=\"{}\" transform=\"translate({:.1f} {:.1f})\" fill=\"{}\"/>\n", class_mark(10 * s), x, y,
        class_color(s));
  }

  void draw_series(std::size_t s) {
    const LineSeries& one = series_[s];
    std::string path;
    for (std::size_t i = 0; i < one.x.size(); ++i)
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", at_x(one.x[i]), y_.at(one.y[i]));
    put("<g><title>{}</title>\n", escape(one.name));
    if (o_.x_names.empty())
      put("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n", path,
          class_color(s), kDashes[s % kDashes.size()]);
    for (std::size_t i = 0; i < one.x.size(); ++i) {
      const double x = at_x(one.x[i]), y = one.y[i];
      if (!one.spread.empty() && one.spread[i] > 0)
        put("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}m-3 0h6M{3:.1f} {1:.1f}h6\" stroke=\"{4}\"/>\n", x,
            y_.at(y - one.spread[i]), y_.at(y + one.spread[i]), x - 3, class_color(s));
      draw_point(s, x, y_.at(y));
    }
    put("</g>\n");
  }

  void draw_legend() {
    std::vector<std::size_t> order(series_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t s) { return series_[s].y.empty(); });
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t s) { return series_[s].y.back(); });
    double y = y_.pixel_high + 8;
    for (const std::size_t s : order) {
      draw_point(s, x_.pixel_high + 18, y - 4);
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"currentColor\">{}</text>\n", x_.pixel_high + 29, y,
          escape(series_[s].name));
      y += 19;
    }
  }

  const std::vector<LineSeries>& series_;
  const LineOptions& o_;
  Axis x_, y_;
  std::string out_;
};

}  // namespace

std::string svg_lines(const std::vector<LineSeries>& series, const LineOptions& options) {
  check(series, options);
  return Chart(series, options).svg();
}

}  // namespace foldout
