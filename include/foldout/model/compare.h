// SPDX-License-Identifier: Apache-2.0
// Comparison of extensions. Part of the samples is held out. The coordinates at which each extension places them, given
// the embedding of the rest alone, are compared with those in the embedding of all samples: the placement error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foldout/components/model_spec.h"
#include "foldout/core/context.h"
#include "foldout/core/dataset.h"
#include "foldout/core/fields.h"

namespace [[gnu::visibility("default")]] foldout {

struct CompareOptions {
  double train = 0.7;      ///< fraction of the samples (of every class) used for training
  int repeats = 10;        ///< number of random splits
  std::uint64_t seed = 0;  ///< of the splits
};
[[nodiscard]] Fields fields(CompareOptions& options);

/// Mean and standard deviation over the splits.
struct MeanAndSpread {
  double mean = 0, spread = 0;
};

struct ComparedExtension {
  std::string spec;     ///< as given
  std::string refusal;  ///< why it could not be tried; the figures are then 0
  MeanAndSpread placement;
  std::optional<MeanAndSpread> accuracy;  ///< of the nearest neighbour in the embedding, if there are labels
  double fit_seconds = 0;                 ///< to fit the extension
  double place_seconds = 0;               ///< per placed sample
};

struct Comparison {
  Index n_train = 0, n_new = 0;
  std::vector<ComparedExtension> rows;  ///< in the order of the request
};

/// `spec.extension` is not used. Without `extensions` the map that a fit gets by default is measured: the method's own
/// (which is the extension "own") or its default extension. With `spec.dictionary` every extension is fitted to the
/// atoms of a dictionary of the training part, and fit_seconds includes the time to learn and embed them. Throws
/// InvalidArgument for invalid specs; an extension that is incompatible with the method gets a row with its refusal.
[[nodiscard]] Comparison compare_extensions(const Dataset& data, const ModelSpec& spec,
                                            const std::vector<Component<ExtensionRow>>& extensions,
                                            const CompareOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
