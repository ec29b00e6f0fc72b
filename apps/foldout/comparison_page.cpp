// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "core/numbers.h"
#include "plot/html_page.h"
#include "plot/svg_lines.h"
#include "sweep.h"

namespace foldout::cli {
namespace {

struct Measure {
  std::string name;
  bool least_is_best;
  std::function<MeanAndSpread(const ComparedExtension&)> of;
  bool is_time = false;
};

std::vector<Measure> measures(const std::vector<SweepPoint>& points) {
  std::vector<Measure> list{{"placement error", true, [](const ComparedExtension& row) { return row.placement; }}};
  const auto labelled = [](const SweepPoint& point) {
    return std::ranges::any_of(point.comparison.rows, [](const auto& row) { return row.accuracy.has_value(); });
  };
  if (std::ranges::any_of(points, labelled))
    list.push_back(
        {"1-NN accuracy", false, [](const ComparedExtension& row) { return row.accuracy.value_or(MeanAndSpread{}); }});
  return list;
}

std::vector<Measure> time_measures() {
  return {{"seconds to fit", true,
           [](const ComparedExtension& row) {
             return MeanAndSpread{row.fit_seconds, 0};
           },
           true},
          {"milliseconds per new sample", true,
           [](const ComparedExtension& row) {
             return MeanAndSpread{1e3 * row.place_seconds, 0};
           },
           true}};
}

// Without the swept key, the spec of a row is the same for all points.
std::string series_name(const std::string& spec, const std::string& key) {
  const std::size_t at = key.empty() ? std::string::npos : spec.find(key + "=");
  if (at == std::string::npos) return spec;
  const std::size_t end = spec.find(',', at);
  std::string name = spec.substr(0, at) + (end == std::string::npos ? "" : spec.substr(end + 1));
  while (name.ends_with(',') || name.ends_with(':')) name.pop_back();
  return name;
}

void add_point(LineSeries& series, double x, const MeanAndSpread& value) {
  series.x.push_back(x);
  series.y.push_back(value.mean);
  series.spread.push_back(value.spread);
}

std::string against_time(const SweepPoint& point, const Measure& measure) {
  std::vector<LineSeries> series;
  for (const ComparedExtension& row : point.comparison.rows) {
    if (!row.refusal.empty()) continue;
    add_point(series.emplace_back(LineSeries{.name = row.spec}), std::max(1e-6, 1e3 * row.place_seconds),
              measure.of(row));
  }
  if (series.empty()) return {};
  return svg_lines(series, {.title = measure.name + " against time",
                            .x_label = "milliseconds per new sample",
                            .y_label = measure.name,
                            .logarithmic_x = true,
                            .from_zero = measure.least_is_best});
}

// Where the value in use is on the axis, if it lies among those of the sweep.
std::optional<double> position_in_use(const Sweep& sweep, const std::string& in_use) {
  if (!sweep.numeric) {
    const auto used = std::ranges::find(sweep.values, in_use, &SweepValue::text);
    return used == sweep.values.end() ? std::nullopt : std::optional(used->at);
  }
  double used = 0;
  if (!in_use.empty() &&
      parse_number(in_use.data(), in_use.data() + in_use.size(), used) == in_use.data() + in_use.size() &&
      used >= sweep.values.front().at && used <= sweep.values.back().at)
    return used;
  return std::nullopt;
}

std::string against_key(const std::vector<SweepPoint>& points, const Sweep& sweep, const std::string& in_use,
                        const Measure& measure) {
  std::vector<LineSeries> series;
  double best = 0;
  const SweepValue* best_value = nullptr;
  for (std::size_t e = 0; e < points.front().comparison.rows.size(); ++e) {
    LineSeries one{.name = series_name(points.front().comparison.rows[e].spec, sweep.key)};
    for (const SweepPoint& point : points) {
      const ComparedExtension& row = point.comparison.rows[e];
      if (!row.refusal.empty()) continue;
      const MeanAndSpread value = measure.of(row);
      add_point(one, point.value.at, value);
      if (best_value == nullptr || (measure.least_is_best ? value.mean < best : value.mean > best)) {
        best = value.mean;
        best_value = &point.value;
      }
    }
    if (!one.x.empty()) series.push_back(std::move(one));
  }
  if (series.empty()) return {};
  LineOptions look{
      .title = fmt::format("{} against {}", measure.name, sweep.key), .x_label = sweep.key, .y_label = measure.name};
  if (!sweep.numeric)
    for (const SweepValue& value : sweep.values) look.x_names.push_back(value.text);
  if (!measure.is_time) look.marks.push_back({best_value->at, "best: " + best_value->text});
  if (const auto used = position_in_use(sweep, in_use); used && (measure.is_time || *used != best_value->at))
    look.marks.push_back({*used, "in use: " + in_use});
  return svg_lines(series, look);
}

void add_table(HtmlPage& page, const std::vector<SweepPoint>& points, const std::string& key,
               const std::vector<Measure>& list) {
  std::vector<std::string> header{"extension"};
  if (!key.empty()) header.insert(header.begin(), key);
  for (const Measure& measure : list) {
    header.push_back(measure.name);
    header.emplace_back("spread");
  }
  header.insert(header.end(), {"fit s", "ms per sample"});
  std::vector<std::vector<std::string>> rows;
  for (const SweepPoint& point : points)
    for (const ComparedExtension& row : point.comparison.rows) {
      std::vector<std::string>& cells = rows.emplace_back();
      if (!key.empty()) cells.push_back(point.value.text);
      cells.push_back(row.refusal.empty() ? row.spec : fmt::format("{}: {}", row.spec, row.refusal));
      for (const Measure& measure : list) {
        const MeanAndSpread value = measure.of(row);
        cells.push_back(row.refusal.empty() ? fmt::format("{:.4f}", value.mean) : "");
        cells.push_back(row.refusal.empty() ? fmt::format("{:.4f}", value.spread) : "");
      }
      cells.push_back(row.refusal.empty() ? fmt::format("{:.3g}", row.fit_seconds) : "");
      cells.push_back(row.refusal.empty() ? fmt::format("{:.3g}", 1e3 * row.place_seconds) : "");
    }
  page.table(header, rows);
}

}  // namespace

std::string comparison_page(const std::string& title, const std::vector<SweepPoint>& points, const Sweep& sweep,
                            const std::string& in_use) {
  HtmlPage page(title);
  const Comparison& first = points.front().comparison;
  page.paragraph(fmt::format(
      "{} training samples, {} held out. Bars are standard deviations over the splits. The placement error compares "
      "the "
      "coordinates of held-out samples with those in an embedding of all samples: 0 is exact, 1 is no better than the "
      "mean.",
      first.n_train, first.n_new));
  const std::vector<Measure> list = measures(points);
  std::vector<Measure> drawn = list;
  if (!sweep.key.empty())  // otherwise time is the other axis
    for (Measure& time : time_measures()) drawn.push_back(std::move(time));
  for (const Measure& measure : drawn) {
    const std::string figure =
        sweep.key.empty() ? against_time(points.front(), measure) : against_key(points, sweep, in_use, measure);
    if (!figure.empty()) page.figure(figure, measure.least_is_best ? "Lower is better." : "Higher is better.");
  }
  add_table(page, points, sweep.key, list);
  return page.text();
}

}  // namespace foldout::cli
