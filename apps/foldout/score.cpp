// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "evaluate/metric_table.h"
#include "foldout/core/error.h"
#include "input.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct ScoreOptions : CommonOptions, InputOptions {
  std::string metric;
  std::vector<std::string> files;
  int n_neighbors = 5;
};

double evaluate(const MetricEntry& metric, const ScoreOptions& o) {
  if (o.files.size() != metric.inputs.size())
    throw InvalidArgument(fmt::format("{} takes {} file{}, but {} were given: write foldout score {} {}", metric.name,
                                      metric.inputs.size(), metric.inputs.size() == 1 ? "" : "s", o.files.size(),
                                      metric.name, fmt::join(metric.inputs, " ")));
  if (metric.of_labels && has_requests(o))
    throw InvalidArgument(
        fmt::format("{} compares labels: omit the options on columns, missing values and images", metric.name));
  if (!o.resize.empty())
    require_images(o, open_input(o.files[0], {.resize = read_options(o).resize})->info().resized, o.files[0]);
  if (metric.of_labels) return metric.of_labels(read_labels(o.files[0]).texts(), read_labels(o.files[1]).texts());
  std::vector<Matrix> inputs;
  for (const std::string& file : o.files)  // the options are those of the first, the data
    inputs.push_back(inputs.empty() ? read_matrix(file, read_options(o)) : read_matrix(file));
  return score(metric, inputs, {.n_neighbors = o.n_neighbors}, make_context(o));
}

void run_score(const ScoreOptions& o, bool neighbors_given) {
  const MetricEntry& metric = find_metric(o.metric);
  if (neighbors_given && !metric.uses_neighbors)
    throw InvalidArgument(fmt::format("{} does not use neighbours: omit --n-neighbors", metric.name));
  const double value = evaluate(metric, o);
  nlohmann::json result{{"metric", metric.name}, {"value", value}};
  if (metric.uses_neighbors) result["n_neighbors"] = o.n_neighbors;
  const CommonOptions& common = o;
  CommonOptions always = common;
  always.json = true;
  print_result(always, result, "");
}

std::string metric_list() {
  std::string list = "\nMetrics and the files they take:\n";
  for (const MetricEntry& metric : metric_table())
    list += fmt::format("  {:<22} {}\n  {:<22} {}\n", metric.name, fmt::join(metric.inputs, " "), "", metric.summary);
  return list;
}

}  // namespace

void add_score(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("score", "Evaluate coordinates or predictions");
  const auto o = std::make_shared<ScoreOptions>();
  verb->add_option("METRIC", o->metric, "The name of the metric, from the list below")->required();
  verb->add_option("FILE", o->files,
                   "The files that the metric takes, in order; the options on columns apply to the first")
      ->required();
  CLI::Option* neighbors =
      verb->add_option("--n-neighbors", o->n_neighbors, "Neighbourhood size, for metrics that use neighbours")
          ->type_name("K")
          ->capture_default_str();
  add_input_options(*verb, *o);
  add_common_options(*verb, *o);
  verb->footer(metric_list());
  verb->callback([o, neighbors] { run_score(*o, neighbors->count() > 0); });
}

}  // namespace foldout::cli
