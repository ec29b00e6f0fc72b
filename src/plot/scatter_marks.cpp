// SPDX-License-Identifier: Apache-2.0
// What stands inside the frame of a scatter plot: marks, thumbnails and the names of classes.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "io/image.h"
#include "plot/color.h"
#include "plot/image_sheet.h"
#include "plot/markup.h"
#include "plot/scatter_drawing.h"

namespace foldout {

void ScatterDrawing::draw_mark(double x, double y, double radius, bool diamond, std::string_view color,
                               std::string_view hover, std::size_t mark) {
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

std::vector<Index> ScatterDrawing::drawing_order() const {
  std::vector<Index> order(static_cast<std::size_t>(Y_.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  if (!o_.depth.empty())
    std::ranges::stable_sort(order, std::greater{}, [&](Index i) { return o_.depth[static_cast<std::size_t>(i)]; });
  return order;
}

void ScatterDrawing::draw_samples() {
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

void ScatterDrawing::draw_images() {
  const double side = std::clamp(0.045 * o_.width, 24.0, 64.0), half = 0.5 * side;
  std::vector<Index> order = drawing_order();
  std::stable_partition(order.begin(), order.end(), [&](Index i) { return is_new(i); });
  std::vector<Box> boxes;
  boxes.reserve(order.size());
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

Box ScatterDrawing::frame() const {
  return {x_.pixel_low, y_.pixel_high, x_.pixel_high - x_.pixel_low, y_.pixel_low - y_.pixel_high};
}

void ScatterDrawing::draw_names() {
  std::vector<std::vector<Index>> members(classes_.size());
  for (Index i = 0; i < Y_.rows(); ++i) members[class_of(i)].push_back(i);
  std::vector<std::pair<std::size_t, std::string_view>> order;
  for (const auto& [name, i] : classes_) order.emplace_back(i, name);
  std::ranges::stable_sort(order, std::greater{}, [&](const auto& one) { return members[one.first].size(); });
  const auto median = [&](const std::vector<Index>& rows, Index column) {
    std::vector<double> values;
    values.reserve(rows.size());
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
    // The text twice: not every renderer can draw its outline below it.
    put("<text x=\"{0:.1f}\" y=\"{1:.1f}\" class=\"halo\" stroke=\"{2}\" stroke-width=\"3.5\" "
        "stroke-linejoin=\"round\" "
        "aria-hidden=\"true\">{3}</text><text x=\"{0:.1f}\" y=\"{1:.1f}\">{3}</text>\n",
        box.x + 0.5 * box.width, box.y + 11, paper_of(o_.theme), escape(order[kept].second));
  }
  put("</g>\n");
}

}  // namespace foldout
