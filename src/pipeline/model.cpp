// SPDX-License-Identifier: Apache-2.0
#include "foldout/pipeline/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "foldout/core/check.h"
#include "foldout/core/error.h"
#include "foldout/core/random.h"
#include "foldout/core/spec.h"
#include "foldout/extend/load_map.h"
#include "foldout/graph/neighborhoods.h"
#include "foldout/pipeline/classify.h"
#include "foldout/pipeline/component_table.h"
#include "pipeline/fitting.h"
#include "pipeline/report_json.h"

namespace foldout {

Matrix Model::prepare(const MatrixRef& samples, const RunContext& context) const {
  require_width(samples, n_features, "transform");
  return steps.empty() ? Matrix(samples) : apply_steps(samples, steps, context);
}

Matrix Model::transform(const MatrixRef& samples, const RunContext& context) const {
  Tally tally;
  return transform(samples, context, tally);
}

Matrix Model::transform(const MatrixRef& samples, const RunContext& context, Tally& tally) const {
  require_width(samples, n_features, "transform");
  return steps.empty() ? map->transform(samples, context, tally)
                       : map->transform(prepare(samples, context), context, tally);
}

Explanation Model::explain(const MatrixRef& samples, const RunContext& context) const {
  return confidence->explain(prepare(samples, context), context);
}

const CodedMap& Model::coded_map() const {
  if (const auto* coded = dynamic_cast<const CodedMap*>(map.get())) return *coded;
  throw InvalidArgument(
      fmt::format("{} does not place samples by codes over training samples: fit with --extension sparse, lvm, lle, or "
                  "nystrom on a graph",
                  map->info().name));
}

ModelSpec preset(std::string_view name) {
  const std::vector<std::string_view> names{"faces"};
  if (name != "faces") throw InvalidArgument(fmt::format("preset '{}' is not known{}", name, suggest(name, names)));
  return {
      .preprocess = {"unit_norm", "center", "unit_norm"}, .method = "cea", .extension = "", .classifier = "affinity"};
}

void check_spec(const ModelSpec& spec) {
  for (const std::string& text : spec.preprocess) {
    const ComponentSpec step = ComponentSpec::parse(text);
    (void)find_preprocess(step.name).complete(step);
  }
  if (!spec.method.empty()) {
    const ComponentSpec method = parse_method(spec.method);
    (void)find_method(method.name).complete(method);
  }
  if (!spec.classifier.empty()) {
    const ComponentSpec classifier = ComponentSpec::parse(spec.classifier);
    (void)find_classifier(classifier.name).complete(classifier);
  }
  if (spec.extension.empty()) {
    if (spec.method.empty()) throw InvalidArgument("a model needs a method, or an extension of given coordinates");
    return;
  }
  const ComponentSpec extension = ComponentSpec::parse(spec.extension);
  (void)find_extension(extension.name).complete(extension);
}

namespace {

// Up to so many samples stand for all in questions of confidence: of those that the map holds, which then cost no room
// in the model, or of the training samples.
constexpr Index kHeldReferences = 5000, kOwnReferences = 1000;

std::vector<Index> reference_rows(Index n_samples, Index most) {
  if (n_samples <= most) return {};
  std::vector<Index> rows = Rng(0).permutation(n_samples);
  rows.resize(static_cast<std::size_t>(most));
  std::ranges::sort(rows);
  return rows;
}

// Null where the map holds too few samples to stand for all.
std::shared_ptr<const Matrix> reference_of(const std::shared_ptr<const OutOfSampleMap>& map, Index n_samples) {
  if (!map->samples() || map->samples()->rows() < std::min(n_samples, kOwnReferences)) return nullptr;
  const std::vector<Index> rows = reference_rows(map->samples()->rows(), kHeldReferences);
  if (rows.empty()) return {map, map->samples()};
  return std::make_shared<Matrix>(KeptSamples(*map->samples(), rows).rows());
}

std::shared_ptr<const Confidence> make_confidence(const MatrixRef& samples,
                                                  const std::shared_ptr<const OutOfSampleMap>& map,
                                                  const RunContext& context) {
  if (auto held = reference_of(map, samples.rows())) return fit_confidence(std::move(held), context);
  const std::vector<Index> rows = reference_rows(samples.rows(), kOwnReferences);
  return fit_confidence(std::make_shared<Matrix>(KeptSamples(samples, rows).rows()), context);
}

Model start_model(const Dataset& data, const ModelSpec& spec, Matrix& prepared, const RunContext& context) {
  check_spec(spec);
  require_count(data.samples, 1, "fit");
  if (data.labels && data.labels->size() != data.samples.rows())
    throw InvalidArgument(fmt::format("{} labels for {} samples: one label per sample is needed", data.labels->size(),
                                      data.samples.rows()));
  if (!spec.classifier.empty() && !data.labels)
    throw InvalidArgument(
        fmt::format("the classifier {} learns from labels: give --labels FILE, or data that have them",
                    ComponentSpec::parse(spec.classifier).name));
  Model model;
  model.spec = spec;
  model.n_features = data.samples.cols();
  model.labels = data.labels;
  model.image = data.image;
  if (!spec.preprocess.empty())
    prepared = fit_steps(data.samples, model.spec.preprocess, model.steps, context, model.report);
  return model;
}

void finish_model(const MatrixRef& samples, FittedMethod fitted, Model& model, const RunContext& context) {
  if (!fitted.embedding.coordinates.allFinite() || !fitted.embedding.eigenvalues.allFinite())
    throw NumericalError(
        fmt::format("{}: the samples are beyond the range that double precision can square: scale them, "
                    "for example with --preprocess standardize",
                    ComponentSpec::parse(model.spec.method).name));
  {
    const PhaseTimer timer(fitted.embedding.report, "extension");
    Report report;
    MadeExtension made = make_extension(samples, fitted, model.spec.extension, context, report);
    model.map = std::move(made.map);
    model.spec.extension = std::move(made.spec);
    fitted.embedding.report.absorb(report);
  }
  {
    const PhaseTimer timer(fitted.embedding.report, "confidence");
    model.confidence = make_confidence(samples, model.map, context);
  }
  model.coordinates = std::move(fitted.embedding.coordinates);
  model.eigenvalues = std::move(fitted.embedding.eigenvalues);
  model.report.absorb(fitted.embedding.report);
  learn_classifier(model, context);
}

}  // namespace

Model fit_model(const Dataset& data, const ModelSpec& spec, const RunContext& context) {
  const ComponentSpec method = parse_method(spec.method);
  const MethodEntry& entry = find_method(method.name);
  Matrix prepared;
  Model model = start_model(data, spec, prepared, context);
  const MatrixRef samples = spec.preprocess.empty() ? MatrixRef(data.samples) : MatrixRef(prepared);
  FittedMethod fitted = entry.fit(samples, data.labels ? data.labels->index : std::vector<int>{}, method, context);
  model.spec.method = fitted.spec;
  finish_model(samples, std::move(fitted), model, context);
  return model;
}

Model extend_model(const Dataset& data, Matrix coordinates, const ModelSpec& spec, const RunContext& context) {
  if (spec.extension.empty())
    throw InvalidArgument("extend needs an extension: --extension sparse, or another (see: foldout methods)");
  require_finite(coordinates, "coordinates");
  if (coordinates.rows() != data.samples.rows())
    throw InvalidArgument(fmt::format("{} rows of coordinates for {} samples: one row per sample is needed",
                                      coordinates.rows(), data.samples.rows()));
  Matrix prepared;
  Model model = start_model(data, spec, prepared, context);
  const MatrixRef samples = spec.preprocess.empty() ? MatrixRef(data.samples) : MatrixRef(prepared);
  FittedMethod fitted;
  fitted.embedding.coordinates = std::move(coordinates);
  finish_model(samples, std::move(fitted), model, context);
  return model;
}

Archive to_archive(const Model& model) {
  nlohmann::json about{{"preprocess", model.spec.preprocess}, {"method", model.spec.method},
                       {"extension", model.spec.extension},   {"classifier", model.spec.classifier},
                       {"n_features", model.n_features},      {"image", {model.image.height, model.image.width}}};
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
  Archive map;
  model.map->save(map);
  archive.put_part("map", map);
  if (model.svm) {
    Archive part;
    model.svm->save(part);
    archive.put_part("classifier", part);
  }
  const ConfidenceScale& scale = model.confidence->scale();
  archive.put("confidence", Vector{{scale.typical, scale.rare}});
  archive.put("confidence_gaps", model.confidence->gaps());
  if (!reference_of(model.map, model.coordinates.rows()))
    archive.put("confidence_samples", model.confidence->reference());
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
  const MapInfo info = model.map->info();
  if (info.n_features != width || info.n_components != model.coordinates.cols() || model.coordinates.rows() < 1)
    throw IoError("the map does not fit the preprocessing or the coordinates");
}

std::shared_ptr<const Confidence> read_confidence(const Archive& archive,
                                                  const std::shared_ptr<const OutOfSampleMap>& map, Index n_samples) {
  const Vector scale = archive.vector("confidence");
  Vector gaps = archive.vector("confidence_gaps");
  auto reference = reference_of(map, n_samples);
  if (!reference) reference = std::make_shared<const Matrix>(archive.matrix("confidence_samples"));
  if (scale.size() != 2 || (scale.array() < 0).any() || reference->rows() < 1 || gaps.size() != reference->rows() ||
      (gaps.array() < 0).any() || reference->cols() != map->info().n_features)
    throw IoError("the confidence does not fit the map");
  return std::make_shared<Confidence>(reference, std::move(gaps), ConfidenceScale{scale[0], scale[1]});
}

}  // namespace

Model from_archive(const Archive& archive) {
  Model model;
  try {
    const auto about = nlohmann::json::parse(archive.text("model"));
    model.spec = {about.at("preprocess").get<std::vector<std::string>>(), about.at("method").get<std::string>(),
                  about.at("extension").get<std::string>(), about.at("classifier").get<std::string>()};
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
  model.map = load_map(archive.part("map"));
  check_chain(model);
  model.confidence = read_confidence(archive, model.map, model.coordinates.rows());
  load_classifier(archive, model);
  return model;
}

}  // namespace foldout
