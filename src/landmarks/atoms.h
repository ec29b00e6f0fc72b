// SPDX-License-Identifier: Apache-2.0
// Private: the atoms of a dictionary in an embedding.
#pragma once

#include <vector>

#include "components/fitted_method.h"
#include "core/sample_rows.h"
#include "foldout/core/context.h"
#include "foldout/dictionary/dictionary.h"

namespace foldout {

/// Samples that a dictionary is learned from: all, or some if others are held out. Views; the data must outlive them.
struct TrainingPart {
  const SampleRows& samples;
  const std::vector<int>& labels;  ///< of all samples; may be empty
  const Matrix& coordinates;       ///< in an embedding of all samples; empty: no such embedding
};

struct Atoms {
  Matrix rows;
  std::vector<int> labels;  ///< may be empty
  FittedMethod fitted;      ///< coordinates of the atoms, and the fit of the method
};

/// Embeds the atoms of a dictionary learned from a part: by the method, or by interpolation among the samples if these
/// have coordinates. `samples` (all of them) serve to detect gaps.
[[nodiscard]] Atoms embed_atoms(const TrainingPart& part, const SampleRows& samples, Dictionary learned,
                                const Component<MethodRow>& method, const RunContext& context);

}  // namespace foldout
