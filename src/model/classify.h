// SPDX-License-Identifier: Apache-2.0
// Private: the classifier of a model.
#pragma once

#include <memory>

#include "core/archive.h"
#include "core/tally.h"
#include "foldout/model/model.h"

namespace foldout {

/// Trains the classifier of the model's spec and writes the values found into its options.
void train_classifier(Model& model, const RunContext& context);

/// Loads the classifier stored by train_classifier() from the arrays of a file.
void load_classifier(const Archive& archive, Model& model);

/// A classifier on the map of a model, trained once for any number of samples. The model must outlive it.
class SampleClassifier {
 public:
  /// `by` empty: the model's classifier, or nn. Throws InvalidArgument if the model has no labels.
  SampleClassifier(const Model& model, const Component<ClassifierRow>& by, const RunContext& context, Report& report);
  /// Per sample, the index of its label among those of the model. `second`: as in Classifier::predict().
  [[nodiscard]] std::vector<int> predict(const MatrixRef& samples, const RunContext& context, Tally& tally,
                                         std::vector<int>* second = nullptr) const;
  /// The classifier in use, with every key.
  [[nodiscard]] const Component<ClassifierRow>& component() const { return by_; }

 private:
  const Model& model_;
  Component<ClassifierRow> by_;
  std::shared_ptr<const Classifier> classifier_;
  bool on_samples_ = false;
};

}  // namespace foldout
