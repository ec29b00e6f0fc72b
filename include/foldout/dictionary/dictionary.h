// SPDX-License-Identifier: Apache-2.0
// A small set of atoms that represents many samples.
#pragma once

#include <vector>

#include "foldout/core/fields.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace [[gnu::visibility("default")]] foldout {

/// The objective of the learner, after each half of an iteration.
struct DictionaryObjective {
  double after_codes = 0, after_atoms = 0;
};

struct Dictionary {
  Matrix atoms;             ///< one row per atom
  std::vector<int> labels;  ///< of the atoms, with atoms_per_class; otherwise empty
  /// Per iteration; with atoms_per_class, the sum over the classes. Empty if nothing is minimised.
  std::vector<DictionaryObjective> objective;
  Report report;
};

}  // namespace foldout
