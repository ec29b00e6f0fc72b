// SPDX-License-Identifier: Apache-2.0
// Private: a dictionary, and its atoms in an embedding.
#pragma once

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

[[nodiscard]] Dictionary learn_dictionary(const Part& part, const ComponentSpec& dictionary, const RunContext& context);

/// Embeds the atoms of a dictionary that was learnt from a part: by the method, or among the samples where these have
/// coordinates. `samples` (all of them) say where the manifold has gaps.
[[nodiscard]] Atoms embed_atoms(const Part& part, const Matrix& samples, Dictionary learnt, const ComponentSpec& method,
                                const RunContext& context);

/// The number of atoms in a code with which held-out samples are placed best; how it was found is in the report.
[[nodiscard]] int choose_tau(const Part& whole, const Atoms& atoms, const ModelSpec& spec,
                             const LandmarkOptions& options, const RunContext& context, Report& report);

}  // namespace foldout
