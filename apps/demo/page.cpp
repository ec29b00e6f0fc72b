// SPDX-License-Identifier: Apache-2.0
#include "page.h"

#include <fmt/format.h>

#include <cmath>

#include "model/model_page.h"
#include "model/model_view.h"
#include "plot/html_page.h"
#include "plot/svg_lines.h"
#include "plot/svg_scatter.h"

namespace foldout::demo {
namespace {

constexpr Index kNew = 60, kDamaged = 30;  // faces on the map

Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix both(above.rows() + below.rows(), above.cols());
  both << above, below;
  return both;
}

// New faces, and some of them damaged.
Dataset shown_faces(const Recognition& recognition) {
  const std::vector<std::string>& labels = recognition.faces.fresh_labels;
  std::vector<std::string> shown(labels.begin(), labels.begin() + kNew);
  shown.insert(shown.end(), labels.begin(), labels.begin() + kDamaged);
  Dataset data =
      images_of(stacked(recognition.faces.fresh.topRows(kNew), recognition.damaged.topRows(kDamaged)), shown);
  for (Index i = 0; i < kNew; ++i) data.ids.push_back(fmt::format("new face {}", i + 1));
  for (Index i = 0; i < kDamaged; ++i) data.ids.push_back(fmt::format("damaged face {}", i + 1));
  return data;
}

std::string damage_figure(const Recognition& recognition) {
  std::vector<LineSeries> series{
      {.name = "on the map (sparse codes)"}, {.name = "nearest pixels"}, {.name = "mean of neighbours"}};
  for (const DamageRates& at : recognition.damage) {
    const double rates[] = {at.on_map, at.by_pixels, at.by_mean};
    for (std::size_t s = 0; s < series.size(); ++s) {
      series[s].x.push_back(100 * at.part);
      series[s].y.push_back(100 * rates[s]);
    }
  }
  return svg_lines(series, {.title = "Recognition of damaged faces",
                            .x_label = "pixels replaced by noise, %",
                            .y_label = "new faces recognised, %",
                            .from_zero = true,
                            .width = 760,
                            .height = 400});
}

std::string pose_figure(const PoseMap& pose, Index column, const std::string& what, bool faces) {
  ScatterOptions options;
  options.title = what;
  options.x_label = "coordinate 1";
  options.y_label = "coordinate 2";
  options.values_label = "degrees";
  options.width = 760;
  options.height = 520;
  const Matrix truth = stacked(pose.faces.train_truth, pose.faces.fresh_truth);
  const Matrix images = stacked(pose.faces.train, pose.faces.fresh);
  if (faces) {
    options.images = &images;
    options.image = images_of(images, {}).image;
  }
  for (Index i = 0; i < truth.rows(); ++i) {
    options.values.push_back(truth(i, column));
    options.is_new.push_back(i >= pose.faces.train.rows());
    options.hover.push_back(fmt::format("pan {:.0f}°, light {:.0f}°", truth(i, 1), truth(i, 3)));
  }
  return svg_scatter(stacked(pose.train_map, pose.fresh_map), options);
}

void add_people(HtmlPage& page, const Recognition& recognition) {
  const Dataset train = images_of(recognition.faces.train, recognition.faces.train_labels);
  const Dataset fresh = shown_faces(recognition);
  page.paragraph(fmt::format(
      "{} faces of {} people, rendered under varying pose and light, span this map. The dashed faces are new: {} as "
      "they "
      "are, and {} with 30 % of their pixels replaced by noise. Click a new face to see which training faces it is "
      "reconstructed from, and what the code sets aside as an error.",
      train.samples.rows(), std::lround(1 / recognition.chance), kNew, kDamaged));
  MapView view = view_model(recognition.model, {.train = &train, .fresh = &fresh});
  page.explorer(view);
  page.heading("Why a map?");
  page.paragraph(fmt::format(
      "The nearest training face in pixels recognises {:.1f} % of the {} new faces as long as they are intact, the map "
      "{:.1f} %. The difference is in damaged faces: sparse codes separate the damage from the face, and the map still "
      "recognises {:.1f} % when 30 % of the pixels are noise. The confidence tells both apart: its median falls from "
      "{:.2f} "
      "to {:.2f}.",
      100 * recognition.pixel_rate, recognition.faces.fresh.rows(), 100 * recognition.rate,
      100 * recognition.damage[2].on_map, recognition.confidence, recognition.damaged_confidence));
  page.figure(damage_figure(recognition),
              "The mean of neighbours is the extension lvm on the same map. Noise replaces pixels at random places.");
}

}  // namespace

Dataset images_of(const Matrix& samples, const std::vector<std::string>& labels) {
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(samples.cols()))));
  Dataset data;
  data.samples = samples;
  data.image = {side, side};
  if (!labels.empty()) data.labels = make_labels(labels);
  return data;
}

std::string make_page(const PoseMap& pose, const Recognition& recognition) {
  HtmlPage page("foldout: new faces on a map");
  add_people(page, recognition);
  page.heading("One person, turning");
  page.figure(pose_figure(pose, 1, "coloured by the true pan", true),
              "Faces along pose and light. Discs: training faces. Diamonds and thick frames: new faces.");
  page.figure(pose_figure(pose, 3, "coloured by the true light azimuth", false),
              "These angles were not used for training: the map recovers them from the images.");
  page.paragraph(
      fmt::format("Placement error of the {} new faces: {:.3f} (0: their coordinates in an embedding of all faces; 1: "
                  "no better than the mean of the map).",
                  pose.faces.fresh.rows(), pose.placement_error));
  page.heading("The model");
  page.paragraph(fmt::format("Embedding a new face takes {:.0f} microseconds; the placement error is {:.3f}.",
                             recognition.microseconds_per_face, recognition.placement_error));
  const Dataset train = images_of(recognition.faces.train, recognition.faces.train_labels);
  describe_model(page, recognition.model, &train, recognition.model.report.phases, {});
  return page.text();
}

}  // namespace foldout::demo
