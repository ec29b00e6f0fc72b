// SPDX-License-Identifier: Apache-2.0
// Everything that placing a new sample needs, in one value: preprocessing, embedding or map, extension.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foldout/core/archive.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/load/dataset.h"
#include "foldout/maps/out_of_sample_map.h"
#include "foldout/preprocess/preprocessor.h"

namespace foldout {

/// What to fit, each component as "name" or "name:key=value,…".
struct ModelSpec {
  std::vector<std::string> preprocess = {};  ///< in order
  std::string method;
  std::string extension = {};  ///< empty: the method's own map or its natural extension, where there is one
};

struct Model {
  ModelSpec spec;        ///< with every key written out
  Index n_features = 0;  ///< of the samples as they come from the file
  Matrix coordinates;    ///< of the training samples, in their order
  Vector eigenvalues;
  std::optional<Labels> labels;  ///< of the training samples
  ImageShape image;              ///< where the samples were images
  Report report;                 ///< of the fit (the times are not stored in the file)
  std::vector<std::shared_ptr<const Preprocessor>> steps;
  std::shared_ptr<const OutOfSampleMap> map;  ///< null: new samples cannot be placed

  /// Coordinates of new samples. Throws InvalidArgument, with the remedy, if the model has no map.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context = {}) const;
};

/// Throws InvalidArgument for an unknown component or key, or a value out of range: what can be told without data.
void check_spec(const ModelSpec& spec);

/// Throws InvalidArgument where check_spec() does, and for labels that are not one per sample.
[[nodiscard]] Model fit_model(const Dataset& data, const ModelSpec& spec, const RunContext& context = {});

[[nodiscard]] Archive to_archive(const Model& model);
/// Throws IoError where the archive is not that of a model.
[[nodiscard]] Model from_archive(const Archive& archive);

}  // namespace foldout
