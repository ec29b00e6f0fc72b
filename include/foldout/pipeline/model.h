// SPDX-License-Identifier: Apache-2.0
// Everything that placing a new sample needs, in one value: preprocessing, embedding or map, extension.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/dataset.h"
#include "foldout/core/report.h"
#include "foldout/extend/confidence.h"
#include "foldout/maps/coded_map.h"
#include "foldout/maps/out_of_sample_map.h"
#include "foldout/preprocess/preprocessor.h"

namespace foldout {

class SvmClassifier;

/// What to fit, each component as "name" or "name:key=value,…".
struct ModelSpec {
  std::vector<std::string> preprocess = {};  ///< in order
  std::string method;                        ///< empty in a model of coordinates from elsewhere
  std::string extension = {};                ///< empty: the method's own map or its natural extension
  std::string dictionary = {};               ///< its atoms stand for the training samples; empty: no dictionary
  std::string classifier = {};               ///< what classify uses unless told otherwise, learnt by the fit; empty: nn
};

/// A whole recipe by its name: "faces" is face recognition by conformal embedding. Throws InvalidArgument for another
/// name.
[[nodiscard]] ModelSpec preset(std::string_view name);

struct Model {
  ModelSpec spec;        ///< with every key written out
  Index n_features = 0;  ///< of the samples as they come from the file
  Matrix coordinates;    ///< of the training samples, in their order; of some where they came in batches
  Vector eigenvalues;
  std::optional<Labels> labels;  ///< of the training samples
  ImageShape image;              ///< where the samples were images
  Report report;                 ///< of the fit (the times are not stored in the file)
  std::vector<std::shared_ptr<const Preprocessor>> steps;
  std::shared_ptr<const OutOfSampleMap> map;
  std::shared_ptr<const Confidence> confidence;
  std::shared_ptr<const SvmClassifier> svm;  ///< where the classifier is svm; others need nothing but coordinates

  /// Training samples: more than there are coordinates where they were read in batches.
  [[nodiscard]] Index n_samples() const;
  /// Samples as the map takes them: after all preprocessing.
  [[nodiscard]] Matrix prepare(const MatrixRef& samples, const RunContext& context = {}) const;
  /// Coordinates of new samples.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context = {}) const;
  /// The same; `tally` takes what was counted on the way and which samples needed a fallback.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context, Tally& tally) const;
  /// How well the training samples explain new ones.
  [[nodiscard]] Explanation explain(const MatrixRef& samples, const RunContext& context = {}) const;
  /// Which training samples hold each new one, for extensions that code samples. Throws InvalidArgument for others.
  [[nodiscard]] const CodedMap& coded_map() const;
};

/// Throws InvalidArgument for an unknown component or key, or a value out of range: what can be told without data.
void check_spec(const ModelSpec& spec);

/// Throws InvalidArgument where check_spec() does, and for labels that are not one per sample.
[[nodiscard]] Model fit_model(const Dataset& data, const ModelSpec& spec, const RunContext& context = {});

/// A model of coordinates that any other program computed for these samples; `spec.method` stays empty.
[[nodiscard]] Model extend_model(const Dataset& data, Matrix coordinates, const ModelSpec& spec,
                                 const RunContext& context = {});

}  // namespace foldout
