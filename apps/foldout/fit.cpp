// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "foldout/core/check.h"
#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "foldout/load/dataset.h"
#include "foldout/pipeline/model.h"
#include "foldout/pipeline/model_file.h"
#include "pipeline/report_json.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct FitOptions : CommonOptions {
  std::string data, model, labels, embedding;
  ModelSpec spec;
};

// What is wrong with the request should be told before the data are read.
void resolve_specs(FitOptions& o) {
  for (std::string& step : o.spec.preprocess)
    step = with_seed(step, find_preprocess(ComponentSpec::parse(step).name).keys(), o);
  o.spec.method = with_seed(o.spec.method, find_method(ComponentSpec::parse(o.spec.method).name).keys(), o);
  if (!o.spec.extension.empty())
    o.spec.extension =
        with_seed(o.spec.extension, find_extension(ComponentSpec::parse(o.spec.extension).name).keys(), o);
  check_spec(o.spec);
  require_writable(o.model);
  if (!o.embedding.empty()) require_output_format(o.embedding);
  require_one_output(o, {o.embedding});
}

std::string describe_placing(const Model& model) {
  if (!model.map) return "new samples: none can be placed, this method has no map of its own (add --extension lle)";
  const MapInfo info = model.map->info();
  return fmt::format("new samples: placed by {}, training samples {}", info.name,
                     info.promise == TrainingPromise::kExact ? "exactly" : name_of(info.promise));
}

void run_fit(FitOptions o) {
  resolve_specs(o);
  const auto start = std::chrono::steady_clock::now();
  Dataset data = load_dataset(o.data);
  if (!o.labels.empty()) {
    data.labels = load_labels(o.labels);
    if (data.labels->size() != data.samples.rows())
      throw InvalidArgument(fmt::format("{} has {} labels, {} has {} samples: one label per sample is needed", o.labels,
                                        data.labels->size(), o.data, data.samples.rows()));
  }
  const std::clock_t cpu_start = std::clock();
  const Model model = fit_model(data, o.spec, make_context(o));
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  save_model(o.model, model);
  if (!o.embedding.empty()) save_matrix(o.embedding, model.coordinates);

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto bytes = static_cast<double>(std::filesystem::file_size(o.model));
  nlohmann::json result = report_to_json(model.report);
  result.update({{"verb", "fit"},
                 {"model", o.model},
                 {"bytes", bytes},
                 {"n_samples", data.samples.rows()},
                 {"n_features", data.samples.cols()},
                 {"n_components", model.coordinates.cols()},
                 {"preprocess", model.spec.preprocess},
                 {"method", model.spec.method},
                 {"extension", model.spec.extension},
                 {"fit_cpu_seconds", cpu_seconds},
                 {"total_seconds", seconds}});
  if (model.map) result["promise"] = name_of(model.map->info().promise);
  tell(o, result,
       fmt::format("{} samples of {} features, {} coordinates by {} in {:.2f} s; {} ({})\n{}\n{}", data.samples.rows(),
                   data.samples.cols(), model.coordinates.cols(), ComponentSpec::parse(model.spec.method).name, seconds,
                   o.model, format_bytes(bytes), describe_placing(model), note_lines(model.report)));
}

}  // namespace

void add_fit(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("fit", "Learn a map from samples and write it to a model file");
  const auto o = std::make_shared<FitOptions>();
  verb->add_option("DATA", o->data, "Samples: .npy, .npz[:key], .csv, .tsv, .mat[:key], IDX, an image folder, or -")
      ->required();
  verb->add_option("-o,--output", o->model, "The model file to write")->required()->type_name("MODEL");
  verb->add_option("--method", o->spec.method, "What to learn, e.g. lle:n_neighbors=12 (see: foldout methods)")
      ->required()
      ->type_name("SPEC");
  verb->add_option("--extension", o->spec.extension, "How new samples are placed (default: what suits the method)")
      ->type_name("SPEC");
  verb->add_option("--preprocess", o->spec.preprocess, "Preparation of the samples; repeatable, in order")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  verb->add_option("--labels", o->labels, "Labels of the samples, to be stored in the model")->type_name("FILE");
  verb->add_option("--embedding", o->embedding, "Also write the coordinates of the training samples")
      ->type_name("FILE");
  add_common_options(*verb, *o);
  verb->callback([o] { run_fit(*o); });
}

}  // namespace foldout::cli
