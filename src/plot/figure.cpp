// SPDX-License-Identifier: Apache-2.0
#include "plot/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/check.h"
#include "foldout/core/error.h"
#include "plot/svg_scatter.h"

namespace foldout {
namespace {

std::vector<Index> chosen(const MapView& view, const FigureOptions& o) {
  const Index d = view.coordinates.cols();
  std::vector<Index> columns = o.coordinates;
  if (columns.empty()) columns = d >= 2 ? std::vector<Index>{1, 2} : std::vector<Index>{1};
  if (columns.size() > 3 || (columns.size() < 2 && d >= 2))
    reject("figure: coordinates", static_cast<double>(columns.size()), "must be two or three numbers, such as 1,2");
  for (const Index k : columns)
    if (k < 1 || k > d)
      throw InvalidArgument(fmt::format("figure: coordinate {} does not exist: choose from 1 … {}", k, d));
  return columns;
}

// Three coordinates, each scaled by the largest range, seen from above and from the side.
Matrix projected(const Matrix& three, ScatterOptions& look) {
  constexpr double kTurn = 35 * std::numbers::pi / 180, kTilt = 22 * std::numbers::pi / 180, kDistance = 4;
  const Eigen::RowVector3d low = three.colwise().minCoeff(), high = three.colwise().maxCoeff();
  const Eigen::RowVector3d middle = 0.5 * (low + high), half = (0.5 * (high - low)).cwiseMax(1e-300);
  const auto at = [&](const Eigen::RowVector3d& p) {
    const double x = p[0] * std::cos(kTurn) - p[1] * std::sin(kTurn),
                 away = p[0] * std::sin(kTurn) + p[1] * std::cos(kTurn);
    const double up = p[2] * std::cos(kTilt) + away * std::sin(kTilt);
    const double depth = away * std::cos(kTilt) - p[2] * std::sin(kTilt);
    const double size = kDistance / (kDistance + depth);
    return Eigen::RowVector3d(x * size, up * size, depth);
  };
  Matrix flat(three.rows(), 2);
  look.depth.resize(static_cast<std::size_t>(three.rows()));
  for (Index i = 0; i < three.rows(); ++i) {
    const Eigen::RowVector3d seen = at((three.row(i) - middle).cwiseQuotient(half));
    flat.row(i) = seen.head<2>();
    look.depth[static_cast<std::size_t>(i)] = seen[2];
  }
  const auto corner = [](int bits) {
    return Eigen::RowVector3d((bits & 1) != 0 ? 1 : -1, (bits & 2) != 0 ? 1 : -1, (bits & 4) != 0 ? 1 : -1);
  };
  for (int a = 0; a < 8; ++a)
    for (const int bit : {1, 2, 4})
      if ((a & bit) == 0) {
        const Eigen::RowVector3d from = at(corner(a)), to = at(corner(a | bit));
        look.box.push_back({from[0], from[1], to[0], to[1]});
      }
  const std::string names[3] = {look.x_label, look.y_label, look.z_label};
  const Eigen::RowVector3d places[3] = {{0, -1, -1}, {-1, 0, -1}, {-1, 1, 0}};
  for (int k = 0; k < 3; ++k) {
    const Eigen::RowVector3d seen = at(1.2 * places[k]);
    look.box_names.push_back({seen[0], seen[1], names[k]});
  }
  return flat;
}

// The label of each sample, of new ones without a label the predicted one; empty if nothing is labelled.
std::vector<std::string> class_names(const MapView& view) {
  if (view.labels.empty() && view.predicted.empty()) return {};
  std::vector<std::string> names = view.labels;
  names.resize(static_cast<std::size_t>(view.size()));
  for (Index i = 0; i < view.n_new && !view.predicted.empty(); ++i)
    if (std::string& name = names[static_cast<std::size_t>(view.n_train() + i)]; name.empty())
      name = view.predicted[static_cast<std::size_t>(i)];
  for (std::string& name : names)
    if (name.empty()) name = "no label";
  return names;
}

// The chosen coordinates in the plane of the figure.
Matrix plane(const MapView& view, const std::vector<Index>& columns, ScatterOptions& look) {
  Matrix chosen_ones = Matrix::Zero(view.size(), std::max<Index>(2, std::ssize(columns)));
  for (std::size_t k = 0; k < columns.size(); ++k)
    chosen_ones.col(static_cast<Index>(k)) = view.coordinates.col(columns[k] - 1);
  return columns.size() == 3 ? projected(chosen_ones, look) : chosen_ones;
}

}  // namespace

std::string svg_map(const MapView& view, const FigureOptions& o) {
  check_view(view);
  if (o.width < 200 || o.width > 8000) reject("figure: width", o.width, "must be from 200 to 8000 pixels");
  const std::vector<Index> columns = chosen(view, o);
  ScatterOptions look;
  look.title = o.title.empty() ? view.title : o.title;
  look.theme = o.theme;
  look.width = o.width;
  look.height = std::max(200, static_cast<int>(0.72 * o.width));
  look.x_label = fmt::format("coordinate {}", columns[0]);
  look.y_label = columns.size() > 1 ? fmt::format("coordinate {}", columns[1]) : "";
  look.z_label = columns.size() > 2 ? fmt::format("coordinate {}", columns[2]) : "";
  for (Index i = 0; i < view.size(); ++i) look.is_new.push_back(i >= view.n_train());
  look.classes = class_names(view);
  if (o.thumbnails) {
    if (view.image.height == 0 || view.values.rows() != view.size())
      throw InvalidArgument("figure: thumbnails need the images of all samples: give the training data (--data)");
    look.images = &view.values;
    look.image = view.image;
  }
  return svg_scatter(plane(view, columns, look), look);
}

std::string png_map(const MapView& view, const FigureOptions& o) {
  FigureOptions fixed = o;
  if (fixed.theme == Theme::kAuto) fixed.theme = Theme::kLight;
  const double scale = std::max(1.0, o.width / 800.0);  // larger figures are sharper, not emptier
  fixed.width = static_cast<int>(std::lround(o.width / scale));
  return rasterise(svg_map(view, fixed), scale);
}

}  // namespace foldout
