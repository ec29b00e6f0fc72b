// SPDX-License-Identifier: Apache-2.0
#include "plot/svg_scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>

#include "core/check.h"
#include "foldout/core/error.h"
#include "io/image.h"
#include "plot/axis.h"
#include "plot/color.h"
#include "plot/image_sheet.h"
#include "plot/layout.h"
#include "plot/markup.h"
#include "plot/natural_order.h"

namespace foldout {
namespace {

constexpr std::size_t kMostInLegend = 16;
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

class Drawing {
 public:
  Drawing(const MatrixRef& coordinates, const ScatterOptions& options) : Y_(coordinates), o_(options) {
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

  std::string svg() {
    // Colours are inherited from the page around the figure; a separate file has none.
    const bool fixed = o_.theme != Theme::kAuto;
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
        "aria-label=\"{2}\" font-family=\"system-ui, DejaVu Sans, sans-serif\" font-size=\"12\"{3}>\n",
        o_.width, o_.height, escape(o_.title.empty() ? "scatter plot" : o_.title),
        fixed ? fmt::format(" color=\"{}\"", ink_of(o_.theme)) : "");
    if (fixed)
      put("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", paper_of(o_.theme));
    else
      put("<style>:root {{ color-scheme: light dark; color: light-dark(#222, #ddd); }}</style>\n");
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

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void place_axes() {
    double side = any_new_ || !o_.values.empty() ? 96 : 16;
    if (classes_.size() <= kMostInLegend)
      for (const auto& [name, i] : classes_)
        side = std::max(side, std::min(40 + text_width(std::string(name), 12), 0.3 * o_.width));
    const double left = 52, right = o_.width - side;
    const double top = o_.title.empty() ? 14 : 36, bottom = o_.height - (o_.x_label.empty() ? 28 : 44);
    double least_x = Y_.col(0).minCoeff(), most_x = Y_.col(0).maxCoeff();
    double least_y = Y_.col(1).minCoeff(), most_y = Y_.col(1).maxCoeff();
    for (const ScatterLine& line : o_.box) {
      least_x = std::min({least_x, line.x1, line.x2});
      most_x = std::max({most_x, line.x1, line.x2});
      least_y = std::min({least_y, line.y1, line.y2});
      most_y = std::max({most_y, line.y1, line.y2});
    }
    x_ = axis_around(least_x, most_x, left, right);
    y_ = axis_around(least_y, most_y, bottom, top);
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

  void draw_axes() {
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
      put("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", middle_x, o_.height - 8,
          escape(o_.x_label));
    if (!o_.y_label.empty())
      put("<text transform=\"translate(13 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", middle_y,
          escape(o_.y_label));
    put("</g>\n");
  }

  void draw_box() {
    put("<g stroke=\"currentColor\" stroke-opacity=\"0.25\">\n");
    for (const ScatterLine& line : o_.box)
      put("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", x_.at(line.x1), y_.at(line.y1), x_.at(line.x2),
          y_.at(line.y2));
    put("</g>\n<g {}>\n", kQuiet);
    for (const ScatterText& name : o_.box_names)
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x_.at(name.x), y_.at(name.y),
          escape(name.text));
    put("</g>\n");
  }

  [[nodiscard]] bool has_legend() const { return any_new_ || (!classes_.empty() && classes_.size() <= kMostInLegend); }

  [[nodiscard]] std::size_t class_of(Index i) const {
    return classes_.empty() ? 0 : classes_.at(o_.classes[static_cast<std::size_t>(i)]);
  }

  [[nodiscard]] std::string color(Index i) const {
    const auto at = static_cast<std::size_t>(i);
    if (!classes_.empty()) return class_color(classes_.at(o_.classes[at]));
    if (!o_.values.empty()) return ramp_color(share(o_.values[at]));
    return class_color(0);
  }

  [[nodiscard]] double share(double value) const {
    return largest_ > least_ ? (value - least_) / (largest_ - least_) : 0.5;
  }

  [[nodiscard]] bool is_new(Index i) const { return any_new_ && o_.is_new[static_cast<std::size_t>(i)]; }

  // `mark`: the number of a class, whose mark is drawn instead of a disc.
  void draw_mark(double x, double y, double radius, bool diamond, std::string_view color, std::string_view hover,
                 std::size_t mark = 0) {
    std::string_view element = "path";
    if (diamond) {
      put("<path d=\"M{:.1f} {:.1f}l{r:.1f} {r:.1f}l-{r:.1f} {r:.1f}l-{r:.1f} -{r:.1f}z\" fill=\"{}\" "
          "stroke=\"currentColor\" stroke-width=\"0.8\"",
          x, y - 1.4 * radius, color, fmt::arg("r", 1.4 * radius));
    } else if (class_mark(mark) != class_mark(0)) {
      put("<path d=\"{}\" transform=\"translate({:.1f} {:.1f}) scale({:.2f})\" fill=\"{}\"", class_mark(mark), x, y,
          radius / 4, color);
    } else {
      element = "circle";
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"", x, y, radius, color);
    }
    if (hover.empty())
      put("/>\n");
    else
      put("><title>{}</title></{}>\n", escape(hover), element);
  }

  // Those far away first.
  [[nodiscard]] std::vector<Index> drawing_order() const {
    std::vector<Index> order(static_cast<std::size_t>(Y_.rows()));
    std::iota(order.begin(), order.end(), Index{0});
    if (!o_.depth.empty())
      std::ranges::stable_sort(order, std::greater{}, [&](Index i) { return o_.depth[static_cast<std::size_t>(i)]; });
    return order;
  }

  void draw_samples() {
    const double radius = std::clamp(60 / std::sqrt(static_cast<double>(Y_.rows())), 1.3, 4.0);
    const std::vector<Index> order = drawing_order();
    for (const bool fresh : {false, true}) {  // new samples on top
      put("<g fill-opacity=\"{}\">\n", fresh ? "0.95" : "0.75");
      for (const Index i : order) {
        if (is_new(i) != fresh) continue;
        const auto at = static_cast<std::size_t>(i);
        const double near = o_.depth.empty() ? 1 : 4 / (4 + o_.depth[at]);
        draw_mark(x_.at(Y_(i, 0)), y_.at(Y_(i, 1)), near * radius, fresh, color(i),
                  o_.hover.empty() ? std::string_view() : o_.hover[at], class_of(i));
      }
      put("</g>\n");
    }
  }

  // New samples first: they are what a reader looks for.
  void draw_images() {
    const double side = std::clamp(0.06 * o_.width, 24.0, 64.0), half = 0.5 * side;
    std::vector<Index> order = drawing_order();
    std::ranges::stable_partition(order, [&](Index i) { return is_new(i); });
    std::vector<Box> boxes;
    for (const Index i : order) boxes.push_back({x_.at(Y_(i, 0)) - half, y_.at(Y_(i, 1)) - half, side, side});
    const GreyScale scale = grey_scale(*o_.images);
    for (const std::size_t kept : without_overlap(boxes, frame())) {
      const Index i = order[kept];
      const Eigen::Map<const Matrix> pixels(o_.images->row(i).data(), o_.image.height, o_.image.width);
      const std::string png = encode_png((255 / (scale.high - scale.low)) * (pixels.array() - scale.low).matrix());
      const Box& box = boxes[kept];
      put("<image x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{2:.1f}\" "
          "href=\"data:image/png;base64,{3}\"/>\n"
          "<rect x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{2:.1f}\" fill=\"none\" stroke=\"{4}\" "
          "stroke-width=\"{5}\"/>\n",
          box.x, box.y, side, base64({reinterpret_cast<const std::uint8_t*>(png.data()), png.size()}), color(i),
          is_new(i) ? 2.5 : 1.2);
    }
  }

  [[nodiscard]] Box frame() const {
    return {x_.pixel_low, y_.pixel_high, x_.pixel_high - x_.pixel_low, y_.pixel_low - y_.pixel_high};
  }

  // The name of a class at the median of its samples, large classes first.
  void draw_names() {
    std::vector<std::vector<Index>> members(classes_.size());
    for (Index i = 0; i < Y_.rows(); ++i) members[class_of(i)].push_back(i);
    std::vector<std::pair<std::size_t, std::string_view>> order;
    for (const auto& [name, i] : classes_) order.emplace_back(i, name);
    std::ranges::stable_sort(order, std::greater{}, [&](const auto& one) { return members[one.first].size(); });
    const auto median = [&](const std::vector<Index>& rows, Index column) {
      std::vector<double> values;
      for (const Index i : rows) values.push_back(Y_(i, column));
      std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
      return values[values.size() / 2];
    };
    std::vector<Box> boxes;
    for (const auto& [i, name] : order) {
      const double width = text_width(std::string(name), 11) + 4;
      boxes.push_back({x_.at(median(members[i], 0)) - 0.5 * width, y_.at(median(members[i], 1)) - 7, width, 14});
    }
    put("<g font-size=\"11\" text-anchor=\"middle\" fill=\"currentColor\">\n");
    for (const std::size_t kept : without_overlap(boxes, frame())) {
      const Box& box = boxes[kept];
      put("<text x=\"{0:.1f}\" y=\"{1:.1f}\" paint-order=\"stroke\" stroke=\"{2}\" stroke-opacity=\"0.75\" "
          "stroke-width=\"3\">{3}</text>\n",
          box.x + 0.5 * box.width, box.y + 11, paper_of(o_.theme), escape(order[kept].second));
    }
    put("</g>\n");
  }

  void draw_legend() {
    const double x = x_.pixel_high + 18;
    double y = y_.pixel_high + (o_.values.empty() ? 8 : 190);
    const auto line = [&](std::string_view text, std::string_view mark_color, bool diamond) {
      if (!mark_color.empty()) draw_mark(x, y - 4, 4, diamond, mark_color, {});
      put("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"currentColor\">{}</text>\n", x + 11, y, escape(text));
      y += 19;
    };
    if (any_new_) {
      line("training", "currentColor", false);
      line("new", "currentColor", true);
      y += 8;
    }
    if (classes_.size() > kMostInLegend) return;
    for (const auto& [name, i] : classes_) line(name, class_color(i), false);
  }

  void draw_ramp() {
    const double x = x_.pixel_high + 18, top = y_.pixel_high + 14, height = 140;
    put("<defs><linearGradient id=\"ramp\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">");
    for (int i = 0; i <= 8; ++i) put("<stop offset=\"{}\" stop-color=\"{}\"/>", i / 8.0, ramp_color(i / 8.0));
    put("</linearGradient></defs>\n<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"{}\" fill=\"url(#ramp)\"/>\n",
        x, top, height);
    put("<g {}>\n<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kQuiet, x, top - 7, escape(o_.values_label));
    put("<text x=\"{0:.1f}\" y=\"{1:.1f}\">{2}</text>\n<text x=\"{0:.1f}\" y=\"{3:.1f}\">{4}</text>\n</g>\n", x + 18,
        top + 9, number(largest_), top + height, number(least_));
  }

  MatrixRef Y_;
  const ScatterOptions& o_;
  std::map<std::string_view, std::size_t, NaturalOrder> classes_;
  bool any_new_ = false;
  double least_ = 0, largest_ = 0;
  Axis x_, y_;
  std::string out_;
};

}  // namespace

std::string svg_scatter(const MatrixRef& coordinates, const ScatterOptions& options) {
  check(coordinates, options);
  return Drawing(coordinates, options).svg();
}

}  // namespace foldout
