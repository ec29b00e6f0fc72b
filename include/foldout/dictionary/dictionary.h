// SPDX-License-Identifier: Apache-2.0
// A small set of atoms that stands for many samples.
#pragma once

#include <vector>

#include "foldout/core/fields.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

/// What the learner minimises, after each half of an iteration.
struct DictionaryObjective {
  double after_codes = 0, after_atoms = 0;
};

struct Dictionary {
  Matrix atoms;             ///< one row per atom
  std::vector<int> labels;  ///< of the atoms, with atoms_per_class; else empty
  /// Per iteration; of a dictionary by classes the sum over the classes. Empty where nothing is minimised.
  std::vector<DictionaryObjective> objective;
  Report report;
};

}  // namespace foldout
