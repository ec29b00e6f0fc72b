// SPDX-License-Identifier: Apache-2.0
#include "foldout/pipeline/model.h"

#include <fmt/format.h>

#include "core/check.h"
#include "core/tally.h"
#include "foldout/core/dataset.h"
#include "foldout/core/error.h"
#include "foldout/core/spec.h"
#include "foldout/pipeline/classify.h"
#include "foldout/pipeline/component_table.h"
#include "pipeline/fitting.h"
#include "pipeline/landmark_fit.h"
#include "pipeline/model_confidence.h"
#include "pipeline/model_start.h"

namespace foldout {

Index Model::n_samples() const {
  const double* streamed = report.find_figure("n_samples_streamed");
  const bool sound = streamed && *streamed >= 1 && *streamed < 1e15;  // it may come from any file
  return sound ? static_cast<Index>(*streamed) : coordinates.rows();
}

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
  throw InvalidArgument(fmt::format(
      "{} does not place samples by codes over training samples: fit with --extension sparse, lvm, lle, codes, or "
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
  (void)completed_dictionary(spec);
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

void require_finite_embedding(const FittedMethod& fitted, const Model& model) {
  if (!fitted.embedding.coordinates.allFinite() || !fitted.embedding.eigenvalues.allFinite())
    throw NumericalError(
        fmt::format("{}: the samples are beyond the range that double precision can square: scale them, "
                    "for example with --preprocess standardize",
                    ComponentSpec::parse(model.spec.method).name));
}

namespace {

void finish_model(const MatrixRef& samples, FittedMethod fitted, Model& model, const RunContext& context) {
  require_finite_embedding(fitted, model);
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
  const std::vector<int> labels = data.labels ? data.labels->index : std::vector<int>{};
  if (!spec.dictionary.empty()) {
    model.spec.dictionary = completed_dictionary(spec);
    rest_on(fit_landmarks(samples, labels, model.spec, context), samples, model, context);
    return model;
  }
  FittedMethod fitted = entry.fit(samples, labels, method, context);
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

}  // namespace foldout
