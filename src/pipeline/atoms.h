// SPDX-License-Identifier: Apache-2.0
// Private: a dictionary, and its atoms in an embedding.
#pragma once

#include <optional>
#include <vector>

#include "foldout/dictionary/dictionary.h"
#include "pipeline/fitting.h"

namespace foldout {

// A part of the samples: all, or those that learn while others are held out.
struct Part {
  Matrix samples;
  std::vector<int> labels;  ///< may be empty
  Matrix coordinates;       ///< in the embedding of all samples, where there is one
};

struct Atoms {
  Matrix rows;
  std::vector<int> labels;  ///< may be empty
  FittedMethod fitted;      ///< coordinates of the atoms, and what the method left
};

/// Embeds the atoms of a dictionary that was learnt from a part: by the method, or among the samples where these have
/// coordinates. `samples` (all of them) say where the manifold has gaps.
[[nodiscard]] Atoms embed_atoms(const Part& part, const Matrix& samples, Dictionary learnt, const ComponentSpec& method,
                                const RunContext& context);

/// `asked` with values for what is auto: those with which held-out samples are placed best by a dictionary of so many
/// atoms; how they were found is in the report. As asked, with a note, where the samples do not allow it.
[[nodiscard]] CodesOptions validated_codes(const Part& whole, Index n_atoms, const ModelSpec& spec,
                                           const CodesOptions& asked, const RunContext& context, Report& report);

/// The dictionary of a spec with this λ, where it is one that learns by codes and its own is auto.
[[nodiscard]] ComponentSpec with_locality(ComponentSpec dictionary, std::optional<double> locality);

}  // namespace foldout
