// SPDX-License-Identifier: Apache-2.0
#include "model/fit_model.h"

#include <fmt/format.h>

#include "components/extending.h"
#include "components/preparing.h"
#include "components/rows.h"
#include "core/check.h"
#include "foldout/core/error.h"
#include "maps/counted_transform.h"
#include "model/classify.h"
#include "model/references.h"
#include "model/training_promise.h"

namespace foldout {

Model start_model(const MatrixRef& samples, const Dataset& about, const ModelSpec& spec, Matrix& prepared,
                  const RunContext& context) {
  require_count(samples, 1, "fit");
  if (about.labels && about.labels->size() != samples.rows())
    throw InvalidArgument(
        fmt::format("{} labels for {} samples: one label per sample is needed", about.labels->size(), samples.rows()));
  if (spec.classifier && !about.labels)
    throw MissingLabels(fmt::format("the classifier {} needs labels, one per sample", spec.classifier.name()));
  Model model;
  model.spec = spec;
  model.n_features = samples.cols();
  model.n_samples = samples.rows();
  model.labels = about.labels;
  model.image = about.image;
  model.resized = about.resized;
  model.table = about.table;
  model.fill = about.fill;
  for (const std::string& warning : about.warnings) model.report.note("reading", warning);
  model.steps = fit_steps(samples, spec.preprocess, prepared, context, model.report);
  record_found(model.steps, model.spec.preprocess);
  return model;
}

namespace {

void require_finite_embedding(const Embedding& embedding, const Model& model) {
  if (!embedding.coordinates.allFinite() || !embedding.eigenvalues.allFinite())
    throw NumericalError(
        fmt::format("{}: the squares of the samples exceed the range of double precision: scale them, "
                    "for example with the preprocessing step standardize",
                    model.spec.method.name()));
}

std::vector<int> indices(const std::optional<Labels>& labels) { return labels ? labels->index : std::vector<int>{}; }

void finish_model(Model& model, const FittedMethod& fitted, const MatrixRef& samples, const RunContext& context) {
  Embedding& embedding = *fitted.embedding;
  require_finite_embedding(embedding, model);
  model.spec.method = fitted.method;
  {
    const PhaseTimer timer(embedding.report, "extension");
    Extension extension = make_extension(samples, fitted, model.spec.extension, context);
    embedding.report.absorb(extension.report);
    model.map =
        with_measured_promise(std::move(extension.map), samples, embedding.coordinates, context, embedding.report);
  }
  {
    const PhaseTimer timer(embedding.report, "confidence");
    const RowMeaning rows = row_meaning(model.spec.method);
    model.confidence = rows == RowMeaning::kSamples ? make_confidence(samples, model.map, context)
                                                    : make_confidence(samples, rows, context);
  }
  model.coordinates = std::move(embedding.coordinates);
  model.eigenvalues = std::move(embedding.eigenvalues);
  model.report.absorb(embedding.report);
  train_classifier(model, context);
}

}  // namespace

void finish_on_landmarks(Model& model, LandmarkFit landmarks, const SampleRows& samples, const RunContext& context) {
  Embedding& embedding = *landmarks.fitted.embedding;
  require_finite_embedding(embedding, model);
  model.spec.extension = std::move(landmarks.chosen);
  model.map = std::move(landmarks.extension.map);
  model.eigenvalues = std::move(embedding.eigenvalues);
  model.n_atoms = landmarks.atoms.rows();
  {
    const PhaseTimer timer(embedding.report, "placing the samples");
    Tally mine, tally;
    model.coordinates = samples.joined(CountedTransform{*model.map}(samples.held(), context, mine));
    Index first_row = 0;
    for (const std::string& packed : samples.texts(fmt::format("{}\n{}", samples.held().rows(), mine.packed()))) {
      tally.absorb(Tally::unpacked(packed.substr(packed.find('\n') + 1)), first_row);
      first_row += std::stoll(packed);
    }
    tally.write(embedding.report, samples.size());
  }
  {
    const PhaseTimer timer(embedding.report, "confidence");
    model.confidence = make_confidence(samples, model.map, std::move(landmarks.atoms), context);
  }
  model.report.absorb(embedding.report);
  if (samples.leads()) train_classifier(model, context);
}

Model fit_samples(const MatrixRef& given_samples, const Dataset& about, const ModelSpec& given,
                  const RunContext& context) {
  const ModelSpec spec = completed(given);
  if (!spec.method) throw InvalidArgument("fit_model needs a method; extend_model takes external coordinates");
  Matrix prepared;
  Model model = start_model(given_samples, about, spec, prepared, context);
  const MatrixRef samples = model.steps.empty() ? given_samples : MatrixRef(prepared);
  const std::vector<int> labels = indices(about.labels);
  if (spec.dictionary)
    finish_on_landmarks(model, fit_landmarks(AllRows(samples), labels, spec, context), AllRows(samples), context);
  else
    finish_model(model, spec.method.row().fit(samples, labels, spec.method, context), samples, context);
  return model;
}

namespace {

// Steps that have nothing to learn from the samples.
void require_fixed_steps(const ModelSpec& spec) {
  for (const Component<PreprocessRow>& step : spec.preprocess)
    if (step.name() != "unit_norm" && step.name() != "random_projection")
      throw InvalidArgument(fmt::format(
          "--preprocess {}: is fitted to all samples in one process: use unit_norm or random_projection, or prepare "
          "the samples before",
          step.name()));
}

}  // namespace

Model fit_shared(const SampleRows& given_samples, const Dataset& about, const ModelSpec& given,
                 const RunContext& context) {
  const ModelSpec spec = completed(given);
  if (!spec.dictionary) throw InvalidArgument("a fit of samples in several processes needs a dictionary");
  require_fixed_steps(spec);
  Dataset first = about;  // the first sample, which stands for all: only its width matters
  first.samples = given_samples.rows({0});
  if (about.labels) first.labels->index.resize(1);
  Matrix prepared;
  Model model = start_model(first.samples, first, spec, prepared, context);
  model.n_samples = given_samples.size();
  model.labels = about.labels;
  std::unique_ptr<SampleRows> after_steps;
  if (!model.steps.empty()) {
    const MatrixRef& held = given_samples.held();
    after_steps =
        given_samples.with(held.rows() > 0 ? apply_steps(held, model.steps, context) : Matrix(0, prepared.cols()));
  }
  const SampleRows& samples = after_steps ? *after_steps : given_samples;
  finish_on_landmarks(model, fit_landmarks(samples, indices(about.labels), spec, context), samples, context);
  return model;
}

Model extend_samples(const MatrixRef& given_samples, const Dataset& about, const Matrix& coordinates,
                     const ModelSpec& given, const RunContext& context) {
  if (!given.extension) throw InvalidArgument("extend_model needs an extension, such as sparse");
  if (given.method) throw InvalidArgument("extend_model takes external coordinates and no method");
  const ModelSpec spec = completed(given);
  require_finite(coordinates, "coordinates");
  if (coordinates.rows() != given_samples.rows())
    throw InvalidArgument(fmt::format("{} rows of coordinates for {} samples: one row per sample is needed",
                                      coordinates.rows(), given_samples.rows()));
  Matrix prepared;
  Model model = start_model(given_samples, about, spec, prepared, context);
  const MatrixRef samples = model.steps.empty() ? given_samples : MatrixRef(prepared);
  FittedMethod fitted(coordinates);
  fitted.labels = indices(about.labels);
  finish_model(model, fitted, samples, context);
  return model;
}

Model fit_model(const Dataset& data, const ModelSpec& spec, const RunContext& context) {
  return fit_samples(data.samples, data, spec, context);
}

Model extend_model(const Dataset& data, const Matrix& coordinates, const ModelSpec& spec, const RunContext& context) {
  return extend_samples(data.samples, data, coordinates, spec, context);
}

}  // namespace foldout
