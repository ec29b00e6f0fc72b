// SPDX-License-Identifier: Apache-2.0
#include "model/model_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "foldout/core/choices.h"
#include "foldout/core/version.h"
#include "foldout/evaluate/metrics.h"
#include "model/model_view.h"
#include "plot/svg_lines.h"

namespace foldout {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows component_rows(const Model& model) {
  Rows rows{{"training samples", fmt::format("{}", model.n_samples)},
            {"features", model.image.height > 0
                             ? fmt::format("{} ({}×{} pixels)", model.n_features, model.image.width, model.image.height)
                             : fmt::format("{}", model.n_features)}};
  for (const auto& step : model.spec.preprocess) rows.push_back({"preprocessing", step.text()});
  rows.push_back({"method", model.spec.method ? model.spec.method.text() : "none: the coordinates were given"});
  if (model.spec.dictionary)
    rows.push_back({"dictionary", fmt::format("{} atoms by {}", model.n_atoms, model.spec.dictionary.text())});
  if (model.spec.extension) rows.push_back({"extension", model.spec.extension.text()});
  if (model.spec.classifier) rows.push_back({"classifier", model.spec.classifier.text()});
  rows.push_back({"new samples", fmt::format("placed by {}; training samples: {}", model.map->info().name,
                                             name_of(model.map->info().promise))});
  for (const auto& [name, value] : model.report.facts) rows.push_back({name, value});
  for (const auto& [name, value] : model.report.figures) rows.push_back({name, fmt::format("{:.4g}", value)});
  rows.push_back({"foldout", std::string(kVersion)});
  return rows;
}

// The position after which the relative step between neighbours is largest.
Index largest_gap(const Vector& values) {
  Index best = 0;
  for (Index i = 0; i + 1 < values.size(); ++i)
    if (std::abs(values[i + 1] - values[i]) > std::abs(values[best + 1] - values[best])) best = i;
  return best;
}

}  // namespace

std::string spectrum_figure(const Model& model) {
  const Vector& values = model.eigenvalues;
  if (values.size() < 3 || !values.allFinite()) return {};
  LineSeries series;
  for (Index i = 0; i < values.size(); ++i) {
    series.x.push_back(static_cast<double>(i + 1));
    series.y.push_back(values[i]);
  }
  const Index gap = largest_gap(values);
  LineOptions look{.title = "Spectrum",
                   .x_label = "number",
                   .y_label = "eigenvalue",
                   .from_zero = true,
                   .width = 560,
                   .height = 300};
  look.marks.push_back({static_cast<double>(gap) + 1.5, fmt::format("largest gap: after {}", gap + 1)});
  return svg_lines({series}, look);
}

std::vector<std::pair<std::string, double>> map_quality(const Model& model, const Dataset* train,
                                                        const RunContext& context) {
  constexpr Index kMost = 2000, kLeast = 20;
  const Matrix samples = prepared_training(model, train, context);
  const Index n = samples.rows();
  if (n < kLeast) return {};
  const Index part = std::min(n, kMost);
  std::vector<Index> rows;
  for (Index i = 0; i < part; ++i) rows.push_back(i * n / part);
  const Matrix X = samples(rows, Eigen::all), Y = model.coordinates(rows, Eigen::all);
  return {{"trustworthiness", trustworthiness(X, Y, {}, context)},
          {"continuity", continuity(X, Y, {}, context)},
          {"neighbor_overlap", neighbor_overlap(X, Y, {}, context)}};
}

void describe_model(HtmlPage& page, const Model& model, const Dataset* train,
                    const std::vector<std::pair<std::string, double>>& seconds, const RunContext& context) {
  if (const std::string figure = spectrum_figure(model); !figure.empty()) {
    page.section("Spectrum");
    page.figure(figure, "The eigenvalues of the method. Coordinates on both sides of a large gap are stable.");
  }
  if (const auto quality = map_quality(model, train, context); !quality.empty()) {
    page.section("Quality of the map");
    Rows rows;
    for (const auto& [name, value] : quality) rows.push_back({name, fmt::format("{:.4f}", value)});
    page.table({"measure (5 neighbours)", "value"}, rows);
    page.paragraph(
        "1 is best: neighbours on the map are neighbours among the samples (trustworthiness), and the reverse "
        "(continuity).");
  }
  page.section("Model");
  page.table({"part", "value"}, component_rows(model));
  page.section("Repairs and fallbacks");
  Rows notes;
  for (const auto& note : model.report.notes) notes.push_back({note.code, note.text});
  if (notes.empty())
    page.paragraph("None were needed.");
  else
    page.table({"repair", "what was done"}, notes);
  if (seconds.empty()) return;
  page.section("Time");
  Rows times;
  for (const auto& [phase, time] : seconds) times.push_back({phase, fmt::format("{:.3g}", time)});
  page.table({"phase of the fit", "seconds"}, times);
}

}  // namespace foldout
