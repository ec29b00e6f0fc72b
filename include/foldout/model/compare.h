// SPDX-License-Identifier: Apache-2.0
// Which extension places best here? Part of the samples is held out, embedded together with the rest (the batch) and
// placed by each extension on the embedding of the rest alone; the placement error says how far apart the two are.
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
  double train = 0.7;      ///< part of the samples (of every class) that the map is learnt from
  int repeats = 10;        ///< random splits
  std::uint64_t seed = 0;  ///< of the splits
};
[[nodiscard]] Fields fields(CompareOptions& options);

/// Mean and standard deviation over the splits.
struct MeanAndSpread {
  double mean = 0, spread = 0;
};

struct ComparedExtension {
  std::string spec;     ///< as it was given
  std::string refusal;  ///< why it could not be tried; the figures are then 0
  MeanAndSpread placement;
  std::optional<MeanAndSpread> accuracy;  ///< of the nearest neighbour in the embedding, where there are labels
  double fit_seconds = 0;                 ///< to make the extension
  double place_seconds = 0;               ///< per placed sample
};

struct Comparison {
  Index n_train = 0, n_new = 0;
  std::vector<ComparedExtension> rows;  ///< in the order asked for
};

/// `spec.extension` is not used. With `spec.dictionary` every extension rests on the atoms of a dictionary of the
/// training part, and the time to learn and embed these is part of what it takes to make it. Throws InvalidArgument for
/// specs that are wrong; an extension that does not go with the method is a row with its refusal.
[[nodiscard]] Comparison compare_extensions(const Dataset& data, const ModelSpec& spec,
                                            const std::vector<Component<ExtensionRow>>& extensions,
                                            const CompareOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
