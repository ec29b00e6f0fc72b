// SPDX-License-Identifier: Apache-2.0
// Private: a model whose map rests on the atoms of a dictionary instead of the training samples.
#pragma once

#include <functional>
#include <vector>

#include "foldout/dictionary/dictionary.h"
#include "pipeline/fitting.h"

namespace foldout {

struct LandmarkFit {
  Matrix atoms;
  FittedMethod fitted;  ///< of the atoms
  MadeExtension extension;
};

/// Learns the dictionary, embeds its atoms and makes the map that places samples by them: local codes, or the extension
/// that is asked for. Throws InvalidArgument where the parts do not go together.
[[nodiscard]] LandmarkFit fit_landmarks(const MatrixRef& samples, const std::vector<int>& labels, const ModelSpec& spec,
                                        const RunContext& context);

/// The same where `learn` learns the dictionary of a spec, from more samples than these.
[[nodiscard]] LandmarkFit fit_landmarks(const MatrixRef& samples, const std::vector<int>& labels, const ModelSpec& spec,
                                        const std::function<Dictionary(const ComponentSpec&)>& learn,
                                        const RunContext& context);

/// Gives the model the map and what goes with it: the coordinates of these samples, placed as new ones are, and how
/// well atoms explain them.
void rest_on(LandmarkFit landmarks, const MatrixRef& samples, Model& model, const RunContext& context);

}  // namespace foldout
