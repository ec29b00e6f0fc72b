// SPDX-License-Identifier: Apache-2.0
#include "page.h"

#include <fmt/format.h>

#include <cmath>

#include "io/image.h"
#include "neighbors/neighbors.h"
#include "plot/html_page.h"
#include "plot/svg_scatter.h"

namespace foldout::demo {
namespace {

PageImage picture(const MatrixRef& samples, Index i, std::string caption) {
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(samples.cols()))));
  const Matrix image = Eigen::Map<const Matrix>(samples.row(i).data(), side, side);
  const std::string png = encode_png(image);
  return {{png.begin(), png.end()}, std::move(caption)};
}

Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix both(above.rows() + below.rows(), above.cols());
  both << above, below;
  return both;
}

std::string pose_figure(const PoseMap& pose, Index column, const std::string& what) {
  ScatterOptions options;
  options.title = what;
  options.x_label = "coordinate 1";
  options.y_label = "coordinate 2";
  options.values_label = "degrees";
  const Matrix truth = stacked(pose.faces.train_truth, pose.faces.fresh_truth);
  for (Index i = 0; i < truth.rows(); ++i) {
    options.values.push_back(truth(i, column));
    options.is_new.push_back(i >= pose.faces.train.rows());
    options.hover.push_back(fmt::format("pan {:.0f}°, light {:.0f}°", truth(i, 1), truth(i, 3)));
  }
  return svg_scatter(stacked(pose.train_map, pose.fresh_map), options);
}

}  // namespace

std::string make_page(const PoseMap& pose, const Recognition& recognition) {
  HtmlPage page("foldout: embedding new faces");
  page.paragraph(
      "The faces on this page are rendered, so identity, pose and lighting are known for each of them. Laplacian "
      "Eigenmaps was fitted to some of them. The others are new: each is placed by the training faces that it "
      "resembles or, in the second part, from which it is reconstructed.");
  page.heading("One person, turning");
  std::vector<PageImage> grid;
  for (Index i = 0; i < 16; ++i)
    grid.push_back(
        picture(pose.faces.train, i,
                fmt::format("pan {:.0f}°, light {:.0f}°", pose.faces.train_truth(i, 1), pose.faces.train_truth(i, 3))));
  page.image_grid(grid, "Some of the training faces.", 72);
  page.figure(pose_figure(pose, 1, "coloured by the true pan"), "Discs: training faces. Diamonds: new faces.");
  page.figure(pose_figure(pose, 3, "coloured by the true light azimuth"),
              "These angles were not used for training: the map recovers them from the images.");
  page.paragraph(
      fmt::format("Placement error of the {} new faces: {:.3f} (0: their coordinates in an embedding of all faces; 1: "
                  "no better than the mean of the map).",
                  pose.faces.fresh.rows(), pose.placement_error));
  page.heading("Many people: recognition");
  page.table(
      {"", "recognition of new faces"},
      {{"on the map", fmt::format("{:.1f} %", 100 * recognition.rate)},
       {"nearest neighbour in pixels", fmt::format("{:.1f} %", 100 * recognition.pixel_rate)},
       {"chance", fmt::format("{:.1f} %", 100 * recognition.chance)},
       {"on the map, 30 % of the pixels replaced by noise", fmt::format("{:.1f} %", 100 * recognition.damaged_rate)},
       {"the same, with the mean of the neighbours", fmt::format("{:.1f} %", 100 * recognition.damaged_lvm_rate)}});
  std::vector<PageImage> pairs;
  const auto index = make_neighbor_index(recognition.train_map);
  const NeighborTable nearest = index->query(recognition.fresh_map.topRows(8), 1);
  for (Index i = 0; i < 8; ++i) {
    const Index match = nearest.of(i)[0];
    const std::string& who = recognition.faces.train_labels[static_cast<std::size_t>(match)];
    const bool right = who == recognition.faces.fresh_labels[static_cast<std::size_t>(i)];
    pairs.push_back(picture(recognition.faces.fresh, i, "new face"));
    pairs.push_back(picture(recognition.faces.train, match, fmt::format("{} {}", who, right ? "✓" : "✗")));
  }
  page.image_grid(pairs, "New faces, each beside the nearest training face on the map.", 72);
  std::vector<PageImage> damaged;
  for (Index i = 0; i < 8; ++i) damaged.push_back(picture(recognition.damaged, i, "damaged"));
  page.image_grid(
      damaged,
      fmt::format("The same faces, damaged. They are placed by sparse codes, which separate the noise from the face; "
                  "the confidence drops from {:.2f} to {:.2f}.",
                  recognition.confidence, recognition.damaged_confidence),
      72);
  page.paragraph(
      fmt::format("{} people, {} training faces, {} new ones; embedding one takes {:.0f} microseconds; placement "
                  "error {:.3f}.",
                  std::lround(1 / recognition.chance), recognition.faces.train.rows(), recognition.faces.fresh.rows(),
                  recognition.microseconds_per_face, recognition.placement_error));
  return page.text();
}

}  // namespace foldout::demo
