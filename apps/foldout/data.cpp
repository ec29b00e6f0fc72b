// SPDX-License-Identifier: Apache-2.0
#include "foldout/core/error.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "data/data_table.h"
#include "foldout/core/spec.h"
#include "foldout/io/files.h"
#include "outputs.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct DataOptions : CommonOptions {
  std::string spec, output, truth, labels;
  std::int64_t n = 0;
};

std::vector<std::string> feature_names(Index n_features) {
  std::vector<std::string> names;
  for (Index j = 1; j <= n_features; ++j) names.push_back(fmt::format("x{}", j));
  return names;
}

void run_data(const DataOptions& o) {
  check_outputs({}, {{"-o", o.output}, {"--truth", o.truth}, {"--labels", o.labels}});
  require_one_output(o, {o.output, o.truth, o.labels});
  const ComponentSpec spec = ComponentSpec::parse(o.spec);
  const SyntheticData data = make_data(spec, o.n, o.seed.value_or(0), make_context(o));
  if (!o.labels.empty() && !data.labels)
    throw InvalidArgument(fmt::format("{} has no classes and therefore no labels to write: omit --labels", spec.name));
  save_matrix(o.output, data.samples, feature_names(data.samples.cols()));
  if (!o.truth.empty()) save_matrix(o.truth, data.truth, data.truth_columns);
  if (!o.labels.empty()) save_labels(o.labels, *data.labels);
  nlohmann::json result{{"verb", "data"},
                        {"data", spec.text()},
                        {"seed", o.seed.value_or(0)},
                        {"output", o.output},
                        {"n_samples", data.samples.rows()},
                        {"n_features", data.samples.cols()},
                        {"truth_columns", data.truth_columns}};
  if (data.image.height > 0) result["image"] = {data.image.height, data.image.width};
  print_result(o, result,
               fmt::format("{} samples of {} features; truth: {}\n", data.samples.rows(), data.samples.cols(),
                           fmt::join(data.truth_columns, ", ")));
}

std::string names() {
  std::string names;
  for (const DataEntry& entry : data_table()) names += fmt::format("{}{}", names.empty() ? "" : " ", entry.name);
  return names;
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("data", "Generate synthetic samples with known coordinates");
  const auto o = std::make_shared<DataOptions>();
  verb->add_option("NAME", o->spec, "One of " + names() + "; keys as name:key=value (see: foldout methods NAME)")
      ->required();
  verb->add_option("-n", o->n, "Number of samples")->required()->type_name("N");
  verb->add_option("-o,--output", o->output, "The samples")->required()->type_name("FILE");
  verb->add_option("--truth", o->truth, "Also write the true coordinates")->type_name("FILE");
  verb->add_option("--labels", o->labels, "Also write the labels, if there are classes")->type_name("FILE");
  add_common_options(*verb, *o);
  verb->callback([o] { run_data(*o); });
}

}  // namespace foldout::cli
