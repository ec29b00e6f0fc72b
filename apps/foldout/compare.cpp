// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/model/compare.h"
#include "io/atomic_file.h"
#include "learning.h"
#include "outputs.h"
#include "sweep.h"

namespace foldout::cli {
namespace {

struct CompareRequest : LearnOptions {
  std::vector<std::string> extensions;
  CompareOptions options;
  std::string sweep, plot;
};

nlohmann::json to_json(const MeanAndSpread& value) { return {{"mean", value.mean}, {"std", value.spread}}; }

nlohmann::json to_json(const ComparedExtension& row) {
  nlohmann::json json{{"extension", row.spec}};
  if (!row.refusal.empty()) {
    json["refused"] = row.refusal;
    return json;
  }
  json["placement"] = to_json(row.placement);
  if (row.accuracy) json["accuracy"] = to_json(*row.accuracy);
  json["fit_seconds"] = row.fit_seconds;
  json["milliseconds_per_sample"] = 1e3 * row.place_seconds;
  return json;
}

std::string table(const Comparison& comparison, const ModelSpec& spec, const CompareRequest& o) {
  std::string text =
      fmt::format("{} of {}{}: {} training samples, {} held out, {} splits\n{:<34} {:>17}", spec.method.short_text(),
                  spec.dictionary ? spec.dictionary.short_text() + " of " : "", o.data, comparison.n_train,
                  comparison.n_new, o.options.repeats, "extension", "placement error");
  const bool labelled = std::ranges::any_of(comparison.rows, [](const auto& row) { return row.accuracy.has_value(); });
  text += labelled ? fmt::format(" {:>17}", "1-NN accuracy") : "";
  text += fmt::format(" {:>10} {:>10}\n", "fit s", "ms/sample");
  for (const ComparedExtension& row : comparison.rows) {
    if (!row.refusal.empty()) {
      text += fmt::format("{:<34} {}\n", row.spec, row.refusal);
      continue;
    }
    text += fmt::format("{:<34} {:>8.4f} ± {:.4f}", row.spec, row.placement.mean, row.placement.spread);
    if (row.accuracy) text += fmt::format(" {:>8.4f} ± {:.4f}", row.accuracy->mean, row.accuracy->spread);
    text += fmt::format(" {:>10.3g} {:>10.3g}\n", row.fit_seconds, 1e3 * row.place_seconds);
  }
  return text;
}

nlohmann::json to_json(const Comparison& comparison) {
  nlohmann::json rows = nlohmann::json::array();
  for (const ComparedExtension& row : comparison.rows) rows.push_back(to_json(row));
  return rows;
}

// One comparison for each value of the key; without --sweep a single one.
std::vector<SweepPoint> measure(const Dataset& data, const Compared& compared, const Sweep& sweep,
                                const CompareOptions& options, const RunContext& context) {
  std::vector<SweepPoint> points(1);
  if (sweep.key.empty()) {
    points.front().comparison = compare_extensions(data, compared.spec, compared.extensions, options, context);
    return points;
  }
  points.resize(sweep.values.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].value = sweep.values[i];
    const Compared changed = with_value(compared, sweep.key, points[i].value.text);
    points[i].comparison = compare_extensions(data, changed.spec, changed.extensions, options, context);
  }
  return points;
}

void check_request(const CompareRequest& o) {
  if (o.plot.empty()) return;
  if (!o.plot.ends_with(".html"))
    throw InvalidArgument(
        fmt::format("--plot {}: the comparison is drawn on a page: give a name that ends in .html", o.plot));
  check_model_output({{"DATA", o.data}, {"--labels", o.labels}}, {"--plot", o.plot});
}

void write_plot(const CompareRequest& o, const Compared& compared, const std::vector<SweepPoint>& points,
                const Sweep& sweep) {
  AtomicFile file(o.plot);
  file.stream() << comparison_page(fmt::format("{}: extensions of {}", o.data, compared.spec.method.name()), points,
                                   sweep, sweep.key.empty() ? "" : value_in_use(compared, sweep.key));
  file.commit();
}

void run_compare(CompareRequest o) {
  check_request(o);
  Compared compared{parse_spec(o), {}};
  const ModelSpec& spec = compared.spec;
  for (const std::string& extension : o.extensions)
    compared.extensions.push_back(with_seed<ExtensionRow>(extension, o));
  const Sweep sweep = o.sweep.empty() ? Sweep{} : parse_sweep(o.sweep);
  for (const SweepValue& value : sweep.values)
    (void)with_value(compared, sweep.key, value.text);  // checked before work starts
  o.options.seed = o.seed.value_or(0);
  const Dataset data = load_labelled(o);
  const std::vector<SweepPoint> points = measure(data, compared, sweep, o.options, make_context(o));
  if (!o.plot.empty()) write_plot(o, compared, points, sweep);
  nlohmann::json result{{"verb", "compare"},
                        {"method", spec.method.short_text()},
                        {"preprocess", o.preprocess},
                        {"dictionary", spec.dictionary.short_text()},
                        {"n_train", points.front().comparison.n_train},
                        {"n_new", points.front().comparison.n_new},
                        {"repeats", o.options.repeats}};
  if (sweep.key.empty()) result["rows"] = to_json(points.front().comparison);
  if (!sweep.key.empty()) {
    nlohmann::json values = nlohmann::json::array(), rows = nlohmann::json::array();
    for (const SweepPoint& point : points) {
      values.push_back(sweep.numeric ? nlohmann::json(point.value.at) : nlohmann::json(point.value.text));
      rows.push_back(to_json(point.comparison));
    }
    result["sweep"] = {{"key", sweep.key}, {"values", values}, {"rows", rows}};
  }
  print_result(o, result, "");
  if (o.json) return;
  for (const SweepPoint& point : points) {
    if (!sweep.key.empty()) std::cout << fmt::format("{} = {}\n", sweep.key, point.value.text);
    std::cout << table(point.comparison, spec, o);
  }
}

}  // namespace

void add_compare(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("compare", "Measure how well extensions place held-out samples");
  const auto o = std::make_shared<CompareRequest>();
  add_learn_options(*verb, *o);
  verb->add_option("--method", o->method, "The method (see: foldout methods)")->required()->type_name("SPEC");
  verb->add_option("--extension", o->extensions,
                   "An extension to try, or own, the map of the method; repeatable (default: the one that fit uses)")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  verb->add_option("--dictionary", o->dictionary,
                   "Fit the extensions to the atoms of a dictionary, e.g. lcdl:n_atoms=500")
      ->type_name("SPEC");
  verb->add_option("--train", o->options.train, "Fraction of the samples (of every class) used for training")
      ->type_name("PART")
      ->capture_default_str();
  verb->add_option("--repeats", o->options.repeats, "Number of random splits")->type_name("N")->capture_default_str();
  verb->add_option(
          "--sweep", o->sweep,
          "Repeat the comparison for values of a key, of the method or of the extensions: key=first:last:step, or "
          "key=value,value")
      ->type_name("KEY=VALUES");
  verb->add_option("--plot", o->plot, "Also write a page: error against time, or measures against the key of --sweep")
      ->type_name("FILE.html");
  add_common_options(*verb, *o);
  verb->callback([o] { run_compare(*o); });
}

}  // namespace foldout::cli
