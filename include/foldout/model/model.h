// SPDX-License-Identifier: Apache-2.0
// Everything needed to place a new sample, in one value and one file: preprocessing, embedding or map, extension.
//
//   const Model model = fit_model(data, {.method = "lle:n_neighbors=12", .extension = "sparse"});
//   save_model("faces.model", model);
//   const Matrix y = load_model("faces.model").transform(x_new);
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "foldout/components/model_spec.h"
#include "foldout/core/context.h"
#include "foldout/core/dataset.h"
#include "foldout/core/report.h"
#include "foldout/core/sample_stream.h"
#include "foldout/extend/confidence.h"
#include "foldout/maps/out_of_sample_map.h"
#include "foldout/preprocess/preprocess.h"

namespace [[gnu::visibility("default")]] foldout {

class Classifier;

/// Immutable after the fit; its functions may be called from several threads.
struct Model {
  ModelSpec spec;        ///< completed, with the values found by the fit
  Index n_features = 0;  ///< of the samples in the file, before preprocessing
  Index n_samples = 0;   ///< number of training samples
  Index n_atoms = 0;     ///< of its dictionary; 0: no dictionary
  Matrix coordinates;    ///< of the training samples, in their order; of some of them after a fit from batches
  Vector eigenvalues;
  std::optional<Labels> labels;  ///< of the training samples
  ImageShape image;              ///< if the samples are images
  bool resized = false;          ///< images were scaled to this size when they were read, and new ones should be
  TableLayout table;             ///< the columns of the training table; ReadOptions::like for new samples
  Vector fill;                   ///< means for missing values of new samples; empty: these are errors
  Report report;                 ///< of the fit (times are not stored in the file)
  std::vector<std::shared_ptr<const Preprocessor>> steps;
  std::shared_ptr<const OutOfSampleMap> map;
  std::shared_ptr<const Confidence> confidence;
  std::shared_ptr<const Classifier> classifier;  ///< trained by the fit, if training is slow: svm

  /// Samples after all preprocessing: the input of the map.
  [[nodiscard]] Matrix prepare(const MatrixRef& samples, const RunContext& context = {}) const;
  /// Coordinates of new samples.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context = {}) const;
  /// The same; `report` gets the counts, and the samples that needed a fallback.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context, Report& report) const;
  /// How well the training samples explain new ones.
  [[nodiscard]] Explanation explain(const MatrixRef& samples, const RunContext& context = {}) const;
  /// The weights of the training samples (or atoms) from which each new sample is reconstructed. Throws InvalidArgument
  /// for extensions that have no such weights.
  [[nodiscard]] SparseMatrix codes(const MatrixRef& samples, const RunContext& context = {}) const;
  /// Labels of new samples, written as in the training data. `by` empty: the model's classifier, or nn. Throws
  /// InvalidArgument if the model has no labels.
  [[nodiscard]] std::vector<std::string> classify(const MatrixRef& samples, const Component<ClassifierRow>& by = {},
                                                  const RunContext& context = {}) const;
  [[nodiscard]] std::vector<std::string> classify(const MatrixRef& samples, const Component<ClassifierRow>& by,
                                                  const RunContext& context, Report& report) const;
};

/// Throws InvalidArgument if the components of the spec are incompatible with each other or with the data.
[[nodiscard]] Model fit_model(const Dataset& data, const ModelSpec& spec, const RunContext& context = {});

/// A model of coordinates computed for these samples by any other program; `spec.method` is empty.
[[nodiscard]] Model extend_model(const Dataset& data, const Matrix& coordinates, const ModelSpec& spec,
                                 const RunContext& context = {});

/// A model of samples that do not fit into memory: its dictionary, which needs a batch_size, is learned in batches.
/// Memory is bounded by a batch, the atoms and 20 samples for each atom. These are drawn from all samples in a first
/// pass (standard input, which can be read only once: the first ones). Preprocessing is fitted to them, coding_tau and
/// locality of the codes are validated on them before the others are read, and the coordinates and labels of the model
/// are theirs. `labels`: one for every sample of the stream; empty: the labels in the stream, if any. Throws
/// InvalidArgument if a component needs all samples at once.
[[nodiscard]] Model fit_streamed(SampleStream& stream, const std::vector<std::string>& labels, const ModelSpec& spec,
                                 const RunContext& context = {});
/// Whether the dictionary of a spec has a batch_size.
[[nodiscard]] bool learns_from_batches(const ModelSpec& spec);

/// The format version in a model file; higher ones are refused.
inline constexpr int kModelFormat = 1;

/// Writes a safetensors file, which any reader of that format opens. Its metadata contain the format version, the
/// component specs and a checksum over every byte of the file except the checksum's own digits. It contains no code.
/// The same fit writes the same bytes.
void save_model(const std::string& path, const Model& model);
/// Throws IoError for a file that is damaged, truncated, larger than its header states, of a newer format, or not a
/// model.
[[nodiscard]] Model load_model(const std::string& path);

}  // namespace foldout
