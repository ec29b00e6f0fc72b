// SPDX-License-Identifier: Apache-2.0
#include <ctime>
#include <memory>

#include "foldout/core/dataset.h"
#include "foldout/io/files.h"
#include "input.h"
#include "learning.h"
#include "outputs.h"

namespace foldout::cli {
namespace {

struct ExtendOptions : LearnOptions {
  std::string coordinates, model;
};

void run_extend(const ExtendOptions& o) {
  const ModelSpec spec = parse_spec(o);
  check_model_output({{"DATA", o.data}, {"COORDINATES", o.coordinates}, {"--labels", o.labels}}, {"-o", o.model});
  const auto start = std::chrono::steady_clock::now();
  const Dataset data = load_labelled(o);
  const Matrix coordinates = read_matrix(o.coordinates);
  const std::clock_t cpu_start = std::clock();
  const Model model = extend_model(data, coordinates, spec, make_context(o));
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  save_and_report("extend", o, o.model, model, start, cpu_seconds);
}

}  // namespace

void add_extend(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("extend", "Fit a map to coordinates computed by any other program");
  const auto o = std::make_shared<ExtendOptions>();
  add_learn_options(*verb, *o);
  verb->add_option("COORDINATES", o->coordinates, "The coordinates of the samples, one row per sample")->required();
  verb->add_option("-o,--output", o->model, "The model file to write")->required()->type_name("MODEL");
  verb->add_option("--extension", o->extension, "How new samples are placed (see: foldout methods)")
      ->required()
      ->type_name("SPEC");
  add_classifier_option(*verb, *o);
  add_common_options(*verb, *o);
  verb->callback([o] { run_extend(*o); });
}

}  // namespace foldout::cli
