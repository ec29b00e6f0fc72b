// SPDX-License-Identifier: Apache-2.0
// Private: the atoms of a dictionary in an embedding.
#pragma once

#include <vector>

#include "components/fitted_method.h"
#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"

namespace foldout {

/// Samples that a dictionary is learnt from: all, or some while others are held out. Views; what they look at must live
/// longer.
struct TrainingPart {
  MatrixRef samples;
  const std::vector<int>& labels;  ///< may be empty
  const Matrix& coordinates;       ///< in an embedding of all samples; empty: there is none
};

struct Atoms {
  Matrix rows;
  std::vector<int> labels;  ///< may be empty
  FittedMethod fitted;      ///< coordinates of the atoms, and what the method left
};

/// Embeds the atoms of a dictionary that was learnt from a part: by the method, or among the samples where these have
/// coordinates. `samples` (all of them) say where the manifold has gaps.
[[nodiscard]] Atoms embed_atoms(const TrainingPart& part, const MatrixRef& samples, Dictionary learnt,
                                const Component<MethodRow>& method, const RunContext& context);

}  // namespace foldout
