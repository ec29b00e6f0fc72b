// SPDX-License-Identifier: Apache-2.0
#include "dictionary/reseed.h"

#include <fmt/format.h>

namespace foldout {

Index reseed_unused(const MatrixRef& samples, const Vector& usage, Vector costs, Matrix& atoms) {
  Index count = 0;
  for (Index j = 0; j < atoms.rows(); ++j) {
    if (usage[j] > 0) continue;
    Index dearest = 0;
    if (!(costs.maxCoeff(&dearest) > 0)) break;
    atoms.row(j) = samples.row(dearest);
    costs[dearest] = 0;
    ++count;
  }
  return count;
}

void note_reseeded(Index count, Report& report) {
  if (count > 0)
    report.note("atoms_reseeded", fmt::format("atoms that no sample used were moved to samples, {} times", count));
}

}  // namespace foldout
