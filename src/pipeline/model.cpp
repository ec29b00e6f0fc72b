// SPDX-License-Identifier: Apache-2.0
#include "foldout/pipeline/model.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "foldout/core/check.h"
#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "foldout/extend/load_map.h"
#include "foldout/pipeline/component_table.h"
#include "pipeline/report_json.h"

namespace foldout {

Matrix Model::transform(const MatrixRef& samples, const RunContext& context) const {
  if (!map)
    throw InvalidArgument(
        fmt::format("this model has coordinates for its training samples only: {} has no way of its "
                    "own to place new ones. Fit again with --extension lle",
                    ComponentSpec::parse(spec.method).name));
  require_width(samples, n_features, "transform");
  if (steps.empty()) return map->transform(samples, context);
  Matrix prepared = steps.front()->apply(samples, context);
  for (std::size_t i = 1; i < steps.size(); ++i) prepared = steps[i]->apply(prepared, context);
  return map->transform(prepared, context);
}

namespace {

// The extension asked for, or the natural one; keys that are not given come from the method's options.
void make_map(const MatrixRef& samples, const FittedMethod& fitted, Model& model) {
  if (model.spec.extension.empty() && fitted.own_map) {
    model.map = fitted.own_map;
    const std::string& name = model.map->info().name;
    model.spec.extension = ComponentSpec::parse(fitted.spec).name == name ? "" : name;
    return;
  }
  const std::string& text = model.spec.extension.empty() ? fitted.natural_extension : model.spec.extension;
  if (text.empty()) return;
  ComponentSpec spec = ComponentSpec::parse(text);
  const ExtensionEntry& entry = find_extension(spec.name);
  if (!fitted.natural_extension.empty()) {
    const ComponentSpec natural = ComponentSpec::parse(fitted.natural_extension);
    if (natural.name == spec.name)
      for (const auto& [key, value] : natural.values)
        if (!spec.find(key)) spec.values.emplace_back(key, value);
  }
  model.map = entry.make(samples, fitted, spec);
  model.spec.extension = entry.complete(spec);
}

}  // namespace

void check_spec(const ModelSpec& spec) {
  for (const std::string& text : spec.preprocess) {
    const ComponentSpec step = ComponentSpec::parse(text);
    (void)find_preprocess(step.name).complete(step);
  }
  const ComponentSpec method = ComponentSpec::parse(spec.method);
  (void)find_method(method.name).complete(method);
  if (spec.extension.empty()) return;
  const ComponentSpec extension = ComponentSpec::parse(spec.extension);
  (void)find_extension(extension.name).complete(extension);
}

Model fit_model(const Dataset& data, const ModelSpec& spec, const RunContext& context) {
  check_spec(spec);
  const ComponentSpec method = ComponentSpec::parse(spec.method);
  const MethodEntry& entry = find_method(method.name);
  require_count(data.samples, 1, "fit");
  if (data.labels && data.labels->size() != data.samples.rows())
    throw InvalidArgument(fmt::format("{} labels for {} samples: one label per sample is needed", data.labels->size(),
                                      data.samples.rows()));
  Model model;
  model.spec = spec;
  model.n_features = data.samples.cols();
  model.labels = data.labels;
  model.image = data.image;
  Matrix prepared;
  for (std::size_t i = 0; i < spec.preprocess.size(); ++i) {
    const PhaseTimer timer(model.report, "preprocessing");
    const ComponentSpec step = ComponentSpec::parse(spec.preprocess[i]);
    const MatrixRef input = i == 0 ? MatrixRef(data.samples) : MatrixRef(prepared);
    const PreprocessEntry& row = find_preprocess(step.name);
    model.steps.push_back(row.fit(input, step, context, model.report));
    model.spec.preprocess[i] = row.complete(step);
    prepared = model.steps.back()->apply(i == 0 ? data.samples : prepared, context);
  }
  const MatrixRef samples = spec.preprocess.empty() ? MatrixRef(data.samples) : MatrixRef(prepared);
  FittedMethod fitted = entry.fit(samples, method, context);
  model.spec.method = fitted.spec;
  {
    const PhaseTimer timer(fitted.embedding.report, "extension");
    make_map(samples, fitted, model);
  }
  model.coordinates = std::move(fitted.embedding.coordinates);
  model.eigenvalues = std::move(fitted.embedding.eigenvalues);
  model.report.absorb(fitted.embedding.report);
  if (!model.coordinates.allFinite() || !model.eigenvalues.allFinite())
    throw NumericalError(
        fmt::format("{}: the samples are beyond the range that double precision can square: scale them, "
                    "for example with --preprocess standardize",
                    method.name));
  return model;
}

Archive to_archive(const Model& model) {
  nlohmann::json about{{"preprocess", model.spec.preprocess},
                       {"method", model.spec.method},
                       {"extension", model.spec.extension},
                       {"n_features", model.n_features},
                       {"image", {model.image.height, model.image.width}}};
  if (model.labels) about["labels"] = {{"names", model.labels->names}, {"integers", model.labels->integers}};
  Report untimed = model.report;
  untimed.phases.clear();
  about["report"] = report_to_json(untimed);
  Archive archive;
  try {
    archive.put_text("model", about.dump());
  } catch (const nlohmann::json::exception&) {  // JSON is UTF-8
    throw InvalidArgument("a label is not valid UTF-8, so the model cannot be written: convert the file of labels");
  }
  archive.put("coordinates", model.coordinates);
  archive.put("eigenvalues", model.eigenvalues);
  if (model.labels)
    archive.put("labels", std::vector<std::int64_t>(model.labels->index.begin(), model.labels->index.end()));
  for (std::size_t i = 0; i < model.steps.size(); ++i) {
    Archive part;
    model.steps[i]->save(part);
    archive.put_part(fmt::format("preprocess.{}", i), part);
  }
  if (model.map) {
    Archive part;
    model.map->save(part);
    archive.put_part("map", part);
  }
  return archive;
}

namespace {

Labels read_labels(const nlohmann::json& about, const std::vector<std::int64_t>& index, Index n_samples) {
  Labels labels{about.at("names").get<std::vector<std::string>>(), {}, about.at("integers").get<bool>()};
  if (static_cast<Index>(index.size()) != n_samples) throw IoError("labels and coordinates differ in number");
  for (const std::int64_t i : index) {
    if (i < 0 || i >= std::ssize(labels.names)) throw IoError("a label is out of range");
    labels.index.push_back(static_cast<int>(i));
  }
  return labels;
}

Index whole_number(const nlohmann::json& value) {
  constexpr std::uint64_t kMost = 1 << 30;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost)
    throw IoError("the description of the model is damaged: a size is not a whole number");
  return value.get<Index>();
}

// Every step must take what the one before gives.
void check_chain(const Model& model) {
  Index width = model.n_features;
  for (const auto& step : model.steps) {
    if (step->n_inputs() != width) throw IoError("the preprocessing steps do not fit together");
    width = step->n_outputs();
  }
  if (!model.map) return;
  const MapInfo info = model.map->info();
  if (info.n_features != width || info.n_components != model.coordinates.cols())
    throw IoError("the map does not fit the preprocessing or the coordinates");
}

}  // namespace

Model from_archive(const Archive& archive) {
  Model model;
  try {
    const auto about = nlohmann::json::parse(archive.text("model"));
    model.spec = {about.at("preprocess").get<std::vector<std::string>>(), about.at("method").get<std::string>(),
                  about.at("extension").get<std::string>()};
    check_spec(model.spec);
    model.n_features = whole_number(about.at("n_features"));
    model.image = {whole_number(about.at("image").at(0)), whole_number(about.at("image").at(1))};
    if (model.image.height != 0 && model.image.height * model.image.width != model.n_features)
      throw IoError("the size of the images is not that of the samples");
    model.report = report_from_json(about.at("report"));
    model.coordinates = archive.matrix("coordinates");
    model.eigenvalues = archive.vector("eigenvalues");
    if (about.contains("labels"))
      model.labels = read_labels(about.at("labels"), archive.integers("labels"), model.coordinates.rows());
  } catch (const nlohmann::json::exception& error) {
    throw IoError(fmt::format("the description of the model is damaged: {}", error.what()));
  } catch (const InvalidArgument& error) {
    throw IoError(error.what());
  }
  for (std::size_t i = 0; i < model.spec.preprocess.size(); ++i)
    model.steps.push_back(load_preprocessor(archive.part(fmt::format("preprocess.{}", i))));
  if (const Archive map = archive.part("map"); map.has("map")) model.map = load_map(map);
  check_chain(model);
  return model;
}

}  // namespace foldout
