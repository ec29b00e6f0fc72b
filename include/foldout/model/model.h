// SPDX-License-Identifier: Apache-2.0
// Everything that placing a new sample needs, in one value and one file: preprocessing, embedding or map, extension.
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

/// Immutable once it is made; its functions may be called from several threads.
struct Model {
  ModelSpec spec;        ///< completed, with the values that the fit found
  Index n_features = 0;  ///< of the samples as they come from the file
  Index n_samples = 0;   ///< that it was fitted to
  Index n_atoms = 0;     ///< of its dictionary; 0: it has none
  Matrix coordinates;    ///< of the training samples, in their order; of some where they came in batches
  Vector eigenvalues;
  std::optional<Labels> labels;  ///< of the training samples
  ImageShape image;              ///< where the samples were images
  Report report;                 ///< of the fit (the times are not stored in the file)
  std::vector<std::shared_ptr<const Preprocessor>> steps;
  std::shared_ptr<const OutOfSampleMap> map;
  std::shared_ptr<const Confidence> confidence;
  std::shared_ptr<const Classifier> classifier;  ///< where the fit trained one that takes long to train: svm

  /// Samples after all preprocessing, as the map takes them.
  [[nodiscard]] Matrix prepare(const MatrixRef& samples, const RunContext& context = {}) const;
  /// Coordinates of new samples.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context = {}) const;
  /// The same; `report` takes what was counted on the way and which samples needed a fallback.
  [[nodiscard]] Matrix transform(const MatrixRef& samples, const RunContext& context, Report& report) const;
  /// How well the training samples explain new ones.
  [[nodiscard]] Explanation explain(const MatrixRef& samples, const RunContext& context = {}) const;
  /// The weights of the training samples (or atoms) from which each new sample is reconstructed. Throws InvalidArgument
  /// for extensions that have no such weights.
  [[nodiscard]] SparseMatrix codes(const MatrixRef& samples, const RunContext& context = {}) const;
  /// Labels of new samples, as they came with the training samples, by `by` or else the model's classifier or else nn.
  /// Throws InvalidArgument where the model has no labels.
  [[nodiscard]] std::vector<std::string> classify(const MatrixRef& samples, const Component<ClassifierRow>& by = {},
                                                  const RunContext& context = {}) const;
  [[nodiscard]] std::vector<std::string> classify(const MatrixRef& samples, const Component<ClassifierRow>& by,
                                                  const RunContext& context, Report& report) const;
};

/// Throws InvalidArgument where the parts of the spec do not go together or the data do not suit them.
[[nodiscard]] Model fit_model(const Dataset& data, const ModelSpec& spec, const RunContext& context = {});

/// A model of coordinates that any other program computed for these samples; `spec.method` stays empty.
[[nodiscard]] Model extend_model(const Dataset& data, const Matrix& coordinates, const ModelSpec& spec,
                                 const RunContext& context = {});

/// A model of samples that do not fit into memory: its dictionary, which needs a batch_size, is learnt batch by batch.
/// Memory is bounded by a batch, the atoms and 20 samples for each atom. These are drawn from all in a first pass (of
/// standard input, which can be read once: the first ones); preprocessing is learnt from them, number of atoms and
/// locality of the codes are validated on them before the others are read, and the coordinates and labels of the model
/// are theirs. `labels`: one for every sample of the stream, or empty for those that the stream has. Throws
/// InvalidArgument where a component needs all samples at once.
[[nodiscard]] Model fit_streamed(SampleStream& stream, const std::vector<std::string>& labels, const ModelSpec& spec,
                                 const RunContext& context = {});
/// Whether the dictionary of a spec has a batch_size.
[[nodiscard]] bool learns_from_batches(const ModelSpec& spec);

/// The number in a model file; a reader refuses higher ones.
inline constexpr int kModelFormat = 1;

/// Writes a safetensors file, which any reader of that format opens. Its metadata hold the format's version, the
/// component specs and a checksum over every byte of the file but the checksum's own digits. There is no code in it.
/// The same fit writes the same bytes.
void save_model(const std::string& path, const Model& model);
/// Throws IoError for a file that is damaged, truncated, larger than its header says, newer, or no model at all.
[[nodiscard]] Model load_model(const std::string& path);

}  // namespace foldout
