// SPDX-License-Identifier: Apache-2.0
#include "model/classify.h"

#include "classify/svm.h"
#include "components/rows.h"
#include "foldout/core/error.h"
#include "model/placing.h"

namespace foldout {
namespace {

LabelledPoints embedded(const Model& model) { return {model.coordinates, model.labels->index}; }

bool contains_samples(const Model& model) {
  const Matrix* held = model.map->samples();
  return held && !model.spec.dictionary && held->rows() == model.coordinates.rows();
}

}  // namespace

void train_classifier(Model& model, const RunContext& context) {
  if (!model.spec.classifier || !model.spec.classifier.row().load) return;  // nothing to store
  std::any found = model.spec.classifier.options();
  model.classifier = model.spec.classifier.row().train(embedded(model), found, context, model.report);
  model.spec.classifier.found(std::move(found));
}

void load_classifier(const Archive& archive, Model& model) {
  if (!model.spec.classifier || !model.spec.classifier.row().load) return;
  if (!model.labels) throw IoError("the model has a classifier, but no labels");
  model.classifier =
      model.spec.classifier.row().load(archive.part("classifier"), embedded(model), model.spec.classifier.options());
}

SampleClassifier::SampleClassifier(const Model& model, const Component<ClassifierRow>& by, const RunContext& context,
                                   Report& report)
    : model_(model), by_(by ? by : model.spec.classifier) {
  if (!model.labels) throw MissingLabels("this model has no labels: fit it with labels, one per sample");
  if (!by_) by_ = "nn";
  const ClassifierRow& row = by_.row();
  on_samples_ = row.on_samples(by_.options(), contains_samples(model));
  const bool stored = model.classifier && model.spec.classifier.name() == by_.name() &&
                      row.answers(model.spec.classifier.options(), by_.options());
  if (stored) {
    classifier_ = model.classifier;
    classifier_->describe(report);
    return;
  }
  std::any options = by_.options();
  classifier_ = on_samples_ ? row.train({*model.map->samples(), model.labels->index}, options, context, report)
                            : row.train(embedded(model), options, context, report);
}

std::vector<int> SampleClassifier::predict(const MatrixRef& samples, const RunContext& context, Tally& tally,
                                           std::vector<int>* second) const {
  if (!on_samples_) return classifier_->predict(place_samples(model_, samples, context, tally), context, tally, second);
  return with_prepared(model_, samples, context,
                       [&](const MatrixRef& X) { return classifier_->predict(X, context, tally, second); });
}

std::vector<std::string> Model::classify(const MatrixRef& samples, const Component<ClassifierRow>& by,
                                         const RunContext& context, Report& of_classifying) const {
  const SampleClassifier chosen(*this, by, context, of_classifying);
  Tally tally;
  const Labels found{labels->names, chosen.predict(samples, context, tally), labels->integers};
  tally.write(of_classifying, samples.rows());
  return found.texts();
}

std::vector<std::string> Model::classify(const MatrixRef& samples, const Component<ClassifierRow>& by,
                                         const RunContext& context) const {
  Report of_classifying;
  return classify(samples, by, context, of_classifying);
}

}  // namespace foldout
