// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "foldout/model/model.h"
#include "learning.h"
#include "model/report_json.h"
#include "printable.h"
#include "session.h"

namespace foldout::cli {
namespace {

struct InfoOptions : CommonOptions {
  std::string model;
};

nlohmann::json describe(const Model& model, const std::string& path) {
  nlohmann::json json{{"model", path},
                      {"bytes", std::filesystem::file_size(path)},
                      {"format_version", kModelFormat},
                      {"n_features", model.n_features},
                      {"n_samples", model.n_samples},
                      {"n_components", model.coordinates.cols()},
                      {"eigenvalues", std::vector<double>(model.eigenvalues.begin(), model.eigenvalues.end())},
                      {"report", report_to_json(model.report)}};
  json.update(to_json(model.spec));
  json["placed_by"] = model.map->info().name;
  if (model.spec.dictionary) json["n_atoms"] = model.n_atoms;
  json["promise"] = name_of(model.map->info().promise);
  if (model.labels) json["n_classes"] = model.labels->names.size();
  if (model.image.height > 0) json["image"] = {model.image.height, model.image.width};
  if (!model.table.empty()) json["columns"] = columns_json(model.table);
  json["resized"] = model.resized;
  json["missing"] = model.fill.size() > 0 ? "mean" : "error";
  return json;
}

void print(const Model& model, const std::string& path) {
  fmt::print("{}\n  size            {}\n  training        {} samples of {} features{}\n", path,
             format_bytes(static_cast<double>(std::filesystem::file_size(path))), model.n_samples, model.n_features,
             model.image.height > 0 ? fmt::format(" (images of {}×{})", model.image.height, model.image.width) : "");
  if (!model.table.empty()) fmt::print("  {}", columns_line(model.table));
  for (const auto& step : model.spec.preprocess) fmt::print("  preprocess      {}\n", escaped(step.text()));
  fmt::print("  method          {}\n",
             model.spec.method ? escaped(model.spec.method.text()) : "none: external coordinates");
  if (model.spec.dictionary)
    fmt::print("  dictionary      {} atoms by {}\n", model.n_atoms, escaped(model.spec.dictionary.text()));
  if (model.spec.extension) fmt::print("  extension       {}\n", escaped(model.spec.extension.text()));
  if (model.spec.classifier) fmt::print("  classifier      {}\n", escaped(model.spec.classifier.text()));
  fmt::print("  coordinates     {}\n", model.coordinates.cols());
  fmt::print("  new samples     placed by {}; training samples: {}\n", escaped(model.map->info().name),
             name_of(model.map->info().promise));
  if (model.labels) fmt::print("  labels          {} classes\n", model.labels->names.size());
  fmt::print("  eigenvalues    ");
  constexpr Index kShown = 8;
  for (Index i = 0; i < std::min(kShown, model.eigenvalues.size()); ++i) fmt::print(" {:.4g}", model.eigenvalues[i]);
  fmt::print("{}\n", model.eigenvalues.size() > kShown ? " …" : "");
  for (const auto& [name, value] : model.report.facts) fmt::print("  {:<15} {}\n", escaped(name), escaped(value));
  for (const auto& [name, value] : model.report.figures) fmt::print("  {:<15} {:.4g}\n", escaped(name), value);
  for (const auto& note : model.report.notes) fmt::print("  note            {}\n", escaped(note.text));
}

void run_info(const InfoOptions& o) {
  const Model model = load_model(o.model);
  if (o.json)
    std::cout << describe(model, o.model).dump() << "\n";
  else
    print(model, o.model);
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("info", "Show the contents of a model file");
  const auto o = std::make_shared<InfoOptions>();
  verb->add_option("MODEL", o->model, "A model file written by fit or extend")->required();
  add_common_options(*verb, *o);
  verb->callback([o] { run_info(*o); });
}

}  // namespace foldout::cli
