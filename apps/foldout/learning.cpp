// SPDX-License-Identifier: Apache-2.0
#include "learning.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "foldout/io/files.h"
#include "foldout/pipeline/classify.h"
#include "foldout/pipeline/model_file.h"
#include "pipeline/report_json.h"

namespace foldout::cli {

void add_learn_options(CLI::App& verb, LearnOptions& o) {
  verb.add_option("DATA", o.data, "Samples: .npy, .npz[:key], .csv, .tsv, .mat[:key], IDX, an image folder, or -")
      ->required();
  verb.add_option("--preprocess", o.spec.preprocess, "Preparation of the samples; repeatable, in order")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  verb.add_option("--labels", o.labels, "Labels of the samples")->type_name("FILE");
}

void add_classifier_option(CLI::App& verb, LearnOptions& o) {
  verb.add_option("--classifier", o.spec.classifier,
                  "What classify uses unless told otherwise, learnt now and stored: nn, affinity, svm or sparse")
      ->type_name("SPEC");
}

std::string resolved_extension(const std::string& spec, const CommonOptions& options) {
  return with_seed(spec, find_extension(ComponentSpec::parse(spec).name).keys(), options);
}

void resolve_specs(LearnOptions& o) {
  for (std::string& step : o.spec.preprocess)
    step = with_seed(step, find_preprocess(ComponentSpec::parse(step).name).keys(), o);
  if (!o.spec.method.empty())
    o.spec.method =
        with_seed(parse_method(o.spec.method).text(), find_method(parse_method(o.spec.method).name).keys(), o);
  if (!o.spec.dictionary.empty())
    o.spec.dictionary =
        with_seed(o.spec.dictionary, find_dictionary(ComponentSpec::parse(o.spec.dictionary).name).keys(), o);
  if (!o.spec.extension.empty()) o.spec.extension = resolved_extension(o.spec.extension, o);
  if (!o.spec.classifier.empty())
    o.spec.classifier =
        with_seed(o.spec.classifier, find_classifier(ComponentSpec::parse(o.spec.classifier).name).keys(), o);
  check_spec(o.spec);
}

Dataset load_labelled(const LearnOptions& o) {
  Dataset data = load_dataset(o.data);
  if (o.labels.empty()) return data;
  data.labels = load_labels_of(o.labels, o.data, data.samples.rows());
  return data;
}

void save_and_tell(std::string_view verb, const LearnOptions& o, const std::string& path, const Model& model,
                   std::chrono::steady_clock::time_point started, double cpu_seconds) {
  save_model(path, model);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  const MapInfo info = model.map->info();
  const Index n = model.n_samples();
  nlohmann::json result = report_to_json(model.report);
  result.update({{"verb", verb},
                 {"model", path},
                 {"bytes", bytes},
                 {"n_samples", n},
                 {"n_features", model.n_features},
                 {"n_components", model.coordinates.cols()},
                 {"preprocess", model.spec.preprocess},
                 {"method", model.spec.method},
                 {"extension", model.spec.extension},
                 {"dictionary", model.spec.dictionary},
                 {"classifier", model.spec.classifier},
                 {"placed_by", info.name},
                 {"promise", name_of(info.promise)},
                 {"fit_cpu_seconds", cpu_seconds},
                 {"total_seconds", seconds}});
  const std::string source = model.spec.method.empty() ? "given" : "by " + ComponentSpec::parse(model.spec.method).name;
  const std::string_view exactly = info.promise == TrainingPromise::kExact ? "exactly" : name_of(info.promise);
  tell(o, result,
       fmt::format("{} samples of {} features, {} coordinates {} in {:.2f} s; {} ({})\n"
                   "new samples: placed by {}, training samples {}\n{}",
                   n, model.n_features, model.coordinates.cols(), source, seconds, path, format_bytes(bytes), info.name,
                   exactly, note_lines(model.report)));
}

}  // namespace foldout::cli
