// SPDX-License-Identifier: Apache-2.0
#include "learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/io/files.h"
#include "foldout/model/model.h"
#include "input.h"
#include "model/report_json.h"
#include "printable.h"

namespace foldout::cli {

void add_learn_options(CLI::App& verb, LearnOptions& o) {
  verb.add_option("DATA", o.data,
                  "Samples: .npy, .npz[:key], .csv[.gz], .tsv, .jsonl, .mat[:key], IDX, images in a folder, or -")
      ->required();
  verb.add_option("--preprocess", o.preprocess, "A preprocessing step; repeatable, applied in order")
      ->type_name("SPEC")
      ->allow_extra_args(false);
  verb.add_option("--labels", o.labels, "Labels of the samples")->type_name("FILE");
  add_input_options(verb, o);
}

void add_classifier_option(CLI::App& verb, LearnOptions& o) {
  verb.add_option("--classifier", o.classifier,
                  "The default of classify, trained now and stored: nn, affinity, svm or sparse")
      ->type_name("SPEC");
}

ModelSpec parse_spec(const LearnOptions& o) {
  ModelSpec spec;
  for (const std::string& step : o.preprocess) spec.preprocess.push_back(with_seed<PreprocessRow>(step, o));
  spec.method = with_seed<MethodRow>(o.method, o);
  spec.extension = with_seed<ExtensionRow>(o.extension, o);
  spec.dictionary = with_seed<DictionaryRow>(o.dictionary, o);
  spec.classifier = with_seed<ClassifierRow>(o.classifier, o);
  return spec;
}

Dataset load_labelled(const LearnOptions& o) {
  Dataset data = read_dataset(o.data, read_options(o));
  require_images(o, data.resized, o.data);
  if (o.labels.empty()) return data;
  data.labels = read_labels_of(o.labels, o.data, data.samples.rows());
  return data;
}

namespace {

std::vector<std::string> names_with(const TableLayout& table, ColumnRole role) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.roles.size(); ++i)
    if (table.roles[i] == role)
      names.push_back(table.names.empty() || table.names[i].empty() ? std::to_string(i + 1) : table.names[i]);
  return names;
}

}  // namespace

nlohmann::json columns_json(const TableLayout& table) {
  return {{"features", names_with(table, ColumnRole::kFeature)},
          {"label", table.name_of(ColumnRole::kLabel)},
          {"id", table.name_of(ColumnRole::kId)},
          {"dropped", names_with(table, ColumnRole::kDropped)}};
}

std::string columns_line(const TableLayout& table) {
  if (table.empty()) return {};
  const auto list = [&](ColumnRole role) {
    std::vector<std::string> names = names_with(table, role);
    std::ranges::transform(names, names.begin(), escaped);
    constexpr std::size_t kShown = 6;
    if (names.size() > kShown) {
      names[kShown - 2] = "…";
      names[kShown - 1] = names.back();
      names.resize(kShown);
    }
    return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ", "));
  };
  const auto dropped = std::ranges::count(table.roles, ColumnRole::kDropped);
  return fmt::format("columns: features {}; labels {}; ids {}{}\n", list(ColumnRole::kFeature),
                     list(ColumnRole::kLabel), list(ColumnRole::kId),
                     dropped > 0 ? "; left out " + list(ColumnRole::kDropped) : "");
}

void save_and_report(std::string_view verb, const LearnOptions& o, const std::string& path, const Model& model,
                     std::chrono::steady_clock::time_point started, double cpu_seconds) {
  save_model(path, model);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);  // a device has none
  const std::uintmax_t bytes = error ? 0 : size;
  const MapInfo info = model.map->info();
  const Index n = model.n_samples;
  nlohmann::json result = report_to_json(model.report);
  result.update({{"verb", verb},
                 {"model", path},
                 {"bytes", static_cast<std::uint64_t>(bytes)},
                 {"n_samples", n},
                 {"n_features", model.n_features},
                 {"n_components", model.coordinates.cols()},
                 {"placed_by", info.name},
                 {"promise", name_of(info.promise)},
                 {"fit_cpu_seconds", cpu_seconds},
                 {"total_seconds", seconds}});
  result.update(to_json(model.spec));
  if (!model.table.empty()) result["columns"] = columns_json(model.table);
  const std::string source = model.spec.method ? "by " + model.spec.method.name() : "given";
  const std::string_view exactly = info.promise == TrainingPromise::kExact ? "exactly" : name_of(info.promise);
  print_result(o, result,
               fmt::format("{} samples of {} features, {} coordinates {} in {:.2f} s; {} ({})\n"
                           "{}new samples: placed by {}, training samples {}\n{}",
                           n, model.n_features, model.coordinates.cols(), source, seconds, path,
                           format_bytes(static_cast<double>(bytes)), columns_line(model.table), info.name, exactly,
                           note_lines(model.report)));
}

}  // namespace foldout::cli
