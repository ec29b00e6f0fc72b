// SPDX-License-Identifier: Apache-2.0
// Private: what numbers of atoms in a code, τ, and localities, λ, are worth.
#pragma once

#include <vector>

#include "foldout/extend/codes.h"
#include "pipeline/atoms.h"

namespace foldout {

/// What codes are tried for.
struct CodingAim {
  const Part& whole;
  Index n_atoms;
  ComponentSpec method, dictionary;
  CodesOptions asked;
  const RunContext& context;

  [[nodiscard]] bool by_class() const;
  /// The λ that are tried: the one asked for, or coding_localities().
  [[nodiscard]] std::vector<double> localities() const;
};

/// What each τ is worth, the one asked for or coding_taus() of the atoms: more is better.
using Merits = std::vector<double>;

/// How many rounds are made: another one holds out other samples.
[[nodiscard]] Index coding_rounds(const CodingAim& aim);

/// One round: the merits of each λ. Throws InvalidArgument where the samples do not allow it, and NumericalError where
/// the method fails.
[[nodiscard]] std::vector<Merits> try_codes(const CodingAim& aim, Index round);

}  // namespace foldout
