// SPDX-License-Identifier: Apache-2.0
// Private: a map over the atoms of a dictionary that stands for the training samples. A fit goes from top to bottom:
//
//   const LandmarkPlan plan = plan_landmarks(samples, labels, spec, context);
//   Dictionary learnt = …                                     from samples in memory, or from batches
//   LandmarkFit fit = finish_landmarks(samples, labels, spec, plan, std::move(learnt), context);
#pragma once

#include <any>
#include <optional>
#include <vector>

#include "components/fitted_method.h"
#include "foldout/components/model_spec.h"
#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"
#include "foldout/extend/codes.h"
#include "foldout/extend/extension.h"

namespace foldout {

/// What is decided before the dictionary is learnt.
struct LandmarkPlan {
  std::any dictionary;                 ///< options of the learner, with the λ that was chosen
  CodesOptions codes;                  ///< by which samples are placed, with what validation chose
  std::optional<FittedMethod> of_all;  ///< the embedding of all samples, where atoms are interpolated in it
  Report report;
};

/// `spec` as completed() leaves it. Validates the codes on samples that are held out.
[[nodiscard]] LandmarkPlan plan_landmarks(const MatrixRef& samples, const std::vector<int>& labels,
                                          const ModelSpec& spec, const RunContext& context);

struct LandmarkFit {
  Matrix atoms;
  FittedMethod fitted;  ///< of the atoms
  Extension extension;
  Component<ExtensionRow> chosen;  ///< the extension, with values for what was auto
};

/// Embeds the atoms and makes the map that places samples by them: local codes, or the extension that is asked for.
/// Throws InvalidArgument where the parts do not go together.
[[nodiscard]] LandmarkFit finish_landmarks(const MatrixRef& samples, const std::vector<int>& labels,
                                           const ModelSpec& spec, LandmarkPlan plan, Dictionary learnt,
                                           const RunContext& context);

/// All of it, for samples in memory.
[[nodiscard]] LandmarkFit fit_landmarks(const MatrixRef& samples, const std::vector<int>& labels, const ModelSpec& spec,
                                        const RunContext& context);

}  // namespace foldout
