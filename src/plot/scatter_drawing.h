// SPDX-License-Identifier: Apache-2.0
// Private to svg_scatter.cpp and scatter_marks.cpp: the drawing of a scatter plot, step by step.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plot/axis.h"
#include "plot/layout.h"
#include "plot/natural_order.h"
#include "plot/svg_scatter.h"

namespace foldout {

class ScatterDrawing {
  static constexpr std::size_t kMostInLegend = 16;

 public:
  ScatterDrawing(const MatrixRef& coordinates, const ScatterOptions& options);
  std::string svg();

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void place_axes();
  void draw_axes();
  void draw_box();
  [[nodiscard]] bool has_legend() const { return any_new_ || (!classes_.empty() && classes_.size() <= kMostInLegend); }
  [[nodiscard]] std::size_t class_of(Index i) const;
  [[nodiscard]] std::string color(Index i) const;
  [[nodiscard]] double share(double value) const;
  [[nodiscard]] bool is_new(Index i) const { return any_new_ && o_.is_new[static_cast<std::size_t>(i)]; }
  // `mark`: the number of a class, whose mark is drawn instead of a disc.
  void draw_mark(double x, double y, double radius, bool diamond, std::string_view color, std::string_view hover,
                 std::size_t mark = 0);
  // Those far away first.
  [[nodiscard]] std::vector<Index> drawing_order() const;
  void draw_samples();
  // New samples first: they are what a reader looks for.
  void draw_images();
  [[nodiscard]] Box frame() const;
  // The name of a class at the median of its samples, large classes first.
  void draw_names();
  void draw_legend();
  void draw_ramp();

  MatrixRef Y_;
  const ScatterOptions& o_;
  std::map<std::string_view, std::size_t, NaturalOrder> classes_;
  bool any_new_ = false;
  double least_ = 0, largest_ = 0;
  Axis x_, y_;
  std::string out_;
};

}  // namespace foldout
