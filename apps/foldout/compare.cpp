// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "foldout/core/dataset.h"
#include "foldout/model/compare.h"
#include "learning.h"

namespace foldout::cli {
namespace {

struct CompareRequest : LearnOptions {
  std::vector<std::string> extensions;
  CompareOptions options;
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

void run_compare(CompareRequest o) {
  const ModelSpec spec = parse_spec(o);
  std::vector<Component<ExtensionRow>> extensions;
  for (const std::string& extension : o.extensions) extensions.push_back(with_seed<ExtensionRow>(extension, o));
  o.options.seed = o.seed.value_or(0);
  const Dataset data = load_labelled(o);
  const Comparison comparison = compare_extensions(data, spec, extensions, o.options, make_context(o));
  nlohmann::json rows = nlohmann::json::array();
  for (const ComparedExtension& row : comparison.rows) rows.push_back(to_json(row));
  print_result(o,
               {{"verb", "compare"},
                {"method", spec.method.short_text()},
                {"preprocess", o.preprocess},
                {"dictionary", spec.dictionary.short_text()},
                {"n_train", comparison.n_train},
                {"n_new", comparison.n_new},
                {"repeats", o.options.repeats},
                {"rows", rows}},
               "");
  if (!o.json) std::cout << table(comparison, spec, o);
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
  add_common_options(*verb, *o);
  verb->callback([o] { run_compare(*o); });
}

}  // namespace foldout::cli
