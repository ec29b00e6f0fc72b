// SPDX-License-Identifier: Apache-2.0
// Which extension places best here? Part of the samples is held out, embedded together with the rest (the batch) and
// placed by each extension on the embedding of the rest alone; the placement error says how far apart the two are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/io/files.h"
#include "foldout/pipeline/component_table.h"
#include "foldout/pipeline/model.h"

namespace foldout {

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
  std::string spec;
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
                                            const std::vector<std::string>& extensions,
                                            const CompareOptions& options = {}, const RunContext& context = {});

/// Training and held-out rows; with labels, the same part of every class.
struct Split {
  std::vector<Index> train, held;
};
[[nodiscard]] Split split_samples(Index n_samples, const std::optional<Labels>& labels, double train,
                                  std::uint64_t seed);

struct AutoOptions {
  double train = 0.7;                 ///< part of the samples that the trial maps are learnt from
  int repeats = 1;                    ///< random splits
  std::optional<double> budget = {};  ///< milliseconds that placing a sample may take; auto: any
  std::uint64_t seed = 0;             ///< of the splits
};
[[nodiscard]] Fields fields(AutoOptions& options);

/// The extension with the smallest placement error of those that go with the fit and stay within the budget.
/// Coordinates from elsewhere are not computed again: extensions then learn from a part of the pairs and are held to
/// the rest. The table of the trial is in the report.
[[nodiscard]] std::shared_ptr<const OutOfSampleMap> extend_by_best(const MatrixRef& samples, const FittedMethod& fit,
                                                                   const AutoOptions& options,
                                                                   const RunContext& context, Report& report);

}  // namespace foldout
