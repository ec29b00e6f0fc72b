// SPDX-License-Identifier: Apache-2.0
// Private: a map over the atoms of a dictionary that represents the training samples. The steps of a fit:
//
//   const LandmarkPlan plan = plan_landmarks(samples, labels, spec, context);
//   Dictionary learned = …                                    from samples in memory, or from batches
//   LandmarkFit fit = finish_landmarks(samples, labels, spec, plan, std::move(learned), context);
#pragma once

#include <any>
#include <optional>
#include <vector>

#include "components/fitted_method.h"
#include "core/sample_rows.h"
#include "foldout/components/model_spec.h"
#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"
#include "foldout/extend/codes.h"
#include "foldout/extend/extension.h"

namespace foldout {

/// Decisions made before the dictionary is learned.
struct LandmarkPlan {
  std::any dictionary;                 ///< options of the learner, with the selected λ
  CodesOptions codes;                  ///< by which samples are placed, as selected by validation
  std::optional<FittedMethod> of_all;  ///< the embedding of all samples, if atoms are interpolated in it
  Report report;
};

/// `spec` as returned by completed(). Validates the codes on held-out samples.
[[nodiscard]] LandmarkPlan plan_landmarks(const SampleRows& samples, const std::vector<int>& labels,
                                          const ModelSpec& spec, const RunContext& context);

struct LandmarkFit {
  Matrix atoms;
  FittedMethod fitted;  ///< of the atoms
  Extension extension;
  Component<ExtensionRow> chosen;  ///< the extension, with values for what was auto
};

/// Embeds the atoms and makes the map that places samples by them: local codes, or the requested extension. Throws
/// InvalidArgument if the components are incompatible.
[[nodiscard]] LandmarkFit finish_landmarks(const SampleRows& samples, const std::vector<int>& labels,
                                           const ModelSpec& spec, LandmarkPlan plan, Dictionary learned,
                                           const RunContext& context);

/// All steps. The samples need not all be in this process.
[[nodiscard]] LandmarkFit fit_landmarks(const SampleRows& samples, const std::vector<int>& labels,
                                        const ModelSpec& spec, const RunContext& context);

}  // namespace foldout
