// SPDX-License-Identifier: Apache-2.0
// Labels for new samples, by the training samples of a model.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/pipeline/component_table.h"
#include "foldout/pipeline/model.h"

namespace foldout {

struct ClassifierEntry {
  std::string_view name, summary;
  std::vector<KeyInfo> (*keys)();
  std::string (*complete)(const ComponentSpec& spec);  ///< checks a spec and writes every key out
  std::vector<int> (*predict)(const Model& model, const MatrixRef& samples, const ComponentSpec& spec,
                              const RunContext& context, Report& report);
};

[[nodiscard]] std::span<const ClassifierEntry> classifier_table();
[[nodiscard]] const ClassifierEntry& find_classifier(std::string_view name);

/// In which space samples are coded by the sparse classifier.
enum class CodingSpace { kAuto, kSamples, kEmbedding };
template <>
inline constexpr auto kNames<CodingSpace> = std::array<std::string_view, 3>{"auto", "samples", "embedding"};

struct SparseClassifierOptions {
  CodingSpace space = CodingSpace::kAuto;  ///< samples, where the model holds all of them; else the embedding
  double tolerance = 1e-8;                 ///< largest relative duality gap of a code
};
[[nodiscard]] Fields fields(SparseClassifierOptions& options);

/// The labels, as they came with the training samples; `report` takes what was done and which samples needed a
/// fallback. Throws InvalidArgument where the model has no labels.
[[nodiscard]] std::vector<std::string> classify_samples(const Model& model, const MatrixRef& samples,
                                                        const std::string& spec, const RunContext& context,
                                                        Report& report);

}  // namespace foldout
