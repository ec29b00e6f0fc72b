// SPDX-License-Identifier: Apache-2.0
#include "foldout/pipeline/classify.h"

#include <array>

#include "classify/classifier.h"
#include "classify/svm.h"
#include "core/archive.h"
#include "core/keys.h"
#include "core/tally.h"
#include "pipeline/entries.h"
#include "pipeline/fitting.h"

namespace foldout {

Fields fields(SparseClassifierOptions& o) {
  static constexpr Key space{"space", "where samples are coded: auto takes the samples where the model holds them all"};
  static constexpr Key tolerance{"tolerance", "largest relative duality gap of a code", "", 1e-14, 1};
  return {{space, o.space}, {tolerance, o.tolerance}};
}

namespace {

LabelledPoints embedded(const Model& model) { return {model.coordinates, model.labels->index}; }

// By the coordinates; what placing the samples counted is told too.
std::vector<int> by(const Classifier& classifier, const Model& model, const MatrixRef& samples,
                    const RunContext& context, Report& report) {
  Tally tally;
  auto labels = classifier.predict(model.transform(samples, context, tally), context, tally);
  tally.write(report, samples.rows());
  return labels;
}

std::vector<int> by_nearest(const Model& model, const MatrixRef& samples, const ComponentSpec& spec,
                            const RunContext& context, Report& report) {
  const auto classifier = nearest_classifier(embedded(model), options_from<NearestOptions>(spec));
  return by(*classifier, model, samples, context, report);
}

std::vector<int> by_affinity(const Model& model, const MatrixRef& samples, const ComponentSpec& spec,
                             const RunContext& context, Report& report) {
  apply(spec, {});
  return by(*affinity_classifier(embedded(model)), model, samples, context, report);
}

std::vector<int> by_sparse_codes(const Model& model, const MatrixRef& samples, const ComponentSpec& spec,
                                 const RunContext& context, Report& report) {
  const auto options = options_from<SparseClassifierOptions>(spec);
  const Matrix* held = model.map->samples();
  const bool holds_all = held && model.spec.dictionary.empty() && held->rows() == model.coordinates.rows();
  if (options.space == CodingSpace::kSamples && !holds_all)
    throw InvalidArgument(
        "sparse: this model does not hold its training samples, so new ones cannot be coded over them: use "
        "space=embedding, or fit with --extension sparse and without --dictionary");
  if (!holds_all || options.space == CodingSpace::kEmbedding)
    return by(*sparse_classifier(embedded(model), options.tolerance), model, samples, context, report);
  Tally tally;
  auto labels = sparse_classifier({*held, model.labels->index}, options.tolerance)
                    ->predict(model.prepare(samples, context), context, tally);
  tally.write(report, samples.rows());
  return labels;
}

// Does the machine that a fit stored answer the request? What is auto takes what it found.
bool answers(const SvmOptions& stored, const SvmOptions& asked) {
  return asked.metric == stored.metric && asked.n_folds == stored.n_folds && asked.seed == stored.seed &&
         asked.cost.value_or(*stored.cost) == *stored.cost && asked.width.value_or(*stored.width) == *stored.width;
}

SvmOptions stored_svm(const Model& model) {
  return options_from<SvmOptions>(ComponentSpec::parse(model.spec.classifier));
}

std::vector<int> by_svm(const Model& model, const MatrixRef& samples, const ComponentSpec& spec,
                        const RunContext& context, Report& report) {
  const auto options = options_from<SvmOptions>(spec);
  if (!model.svm || !answers(stored_svm(model), options)) {
    const SvmFit fit = fit_svm(embedded(model), options, context);
    report.absorb(fit.report);
    return by(*fit.classifier, model, samples, context, report);
  }
  report.figure("svm_cost", model.svm->machine().cost);
  report.figure("svm_width", model.svm->machine().width);
  return by(*model.svm, model, samples, context, report);
}

const std::array kClassifiers{
    ClassifierEntry{"nn", "the nearest training samples in the embedding", keys_of<NearestOptions>,
                    complete_with<NearestOptions>, by_nearest},
    ClassifierEntry{"affinity", "the training sample at the smallest angle in the embedding", no_keys,
                    complete_without_keys, by_affinity},
    ClassifierEntry{"svm", "support vector machines with a Gaussian kernel in the embedding", keys_of<SvmOptions>,
                    complete_with<SvmOptions>, by_svm},
    ClassifierEntry{"sparse", "the class whose part of the sparse code leaves least of the sample",
                    keys_of<SparseClassifierOptions>, complete_with<SparseClassifierOptions>, by_sparse_codes},
};

}  // namespace

std::span<const ClassifierEntry> classifier_table() { return kClassifiers; }
const ClassifierEntry& find_classifier(std::string_view name) {
  return find_entry(classifier_table(), name, "classifier");
}

void learn_classifier(Model& model, const RunContext& context) {
  if (model.spec.classifier.empty()) return;
  const ComponentSpec spec = ComponentSpec::parse(model.spec.classifier);
  model.spec.classifier = find_classifier(spec.name).complete(spec);
  if (spec.name != "svm") return;
  auto options = options_from<SvmOptions>(spec);
  SvmFit fit = fit_svm(embedded(model), options, context);
  options.cost = fit.classifier->machine().cost;
  options.width = fit.classifier->machine().width;
  model.spec.classifier = spec_text(spec.name, fields(options));
  model.svm = std::move(fit.classifier);
  model.report.absorb(fit.report);
}

void load_classifier(const Archive& archive, Model& model) {
  if (model.spec.classifier.empty() || ComponentSpec::parse(model.spec.classifier).name != "svm") return;
  const SvmOptions options = stored_svm(model);
  if (!model.labels) throw IoError("the model has a classifier, but no labels");
  model.svm = load_svm(archive.part("classifier"), embedded(model), options);
}

std::vector<std::string> classify_samples(const Model& model, const MatrixRef& samples, const std::string& spec,
                                          const RunContext& context, Report& report) {
  if (!model.labels)
    throw InvalidArgument("this model has no labels to give: fit it with --labels FILE, or from data that have them");
  const ComponentSpec parsed = ComponentSpec::parse(spec);
  std::vector<std::string> labels;
  for (const int i : find_classifier(parsed.name).predict(model, samples, parsed, context, report))
    labels.push_back(model.labels->names[static_cast<std::size_t>(i)]);
  return labels;
}

}  // namespace foldout
