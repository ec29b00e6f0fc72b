// SPDX-License-Identifier: Apache-2.0
// Private: what the learners of dictionaries share. How many atoms are learnt, and from which samples: from all, or
// D = [D₁|…|D_C] with a part for each class; when learning has converged; what happens to unused atoms.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "foldout/dictionary/dictionary.h"

namespace foldout {

/// Learns `count` atoms from samples, of which there are at least as many. Classes are learnt side by side, each with a
/// context of its own.
using AtomLearner = std::function<Dictionary(const MatrixRef& samples, Index count, const RunContext& context)>;

/// Throws InvalidArgument where the numbers do not go with the samples or their labels. A class with fewer samples than
/// atoms gives all of them, and fewer different samples than atoms give one atom each; the report says so.
[[nodiscard]] Dictionary learn_atoms(const MatrixRef& samples, const std::vector<int>& labels,
                                     std::optional<int> n_atoms, std::optional<int> atoms_per_class,
                                     std::string_view name, const RunContext& context, const AtomLearner& learn);

/// "atoms_reduced", where there are fewer atoms than were wanted.
void note_reduced(Index wanted, Dictionary& dictionary);

/// "tau_reduced", where there are fewer atoms than should hold a sample.
void note_tau(int tau, Dictionary& dictionary);

/// Number of atoms and objectives, in the report.
void tell_atoms(Dictionary& dictionary);

/// Throws InvalidArgument where the inner products of all atoms, as learners of codes over all of them keep, do not fit
/// into memory.
void require_room_for_products(Index n_atoms, std::string_view name, const RunContext& context);

/// Whether the last three iterations together lowered the objective by less than this part of it. Several, since what
/// learners minimise may rise and fall: two iterations can be alike by chance. With a tolerance of 0 never.
[[nodiscard]] inline bool settled(const std::vector<DictionaryObjective>& objective, double tolerance) {
  constexpr std::ptrdiff_t kLast = 3;
  if (tolerance == 0 || std::ssize(objective) <= kLast) return false;
  const auto lowest = [](auto first, auto last) {
    double least = std::numeric_limits<double>::infinity();
    for (; first != last; ++first) least = std::min(least, first->after_atoms);
    return least;
  };
  const auto recent = objective.end() - kLast;
  return lowest(recent, objective.end()) >= (1 - tolerance) * lowest(objective.begin(), recent);
}

/// Atoms of usage 0 go to the samples whose codes cost most, each to another; returns how many.
Index reseed_unused(const MatrixRef& samples, const Vector& usage, Vector costs, Matrix& atoms);

/// "atoms_reseeded", where there are any.
void note_reseeded(Index count, Report& report);

}  // namespace foldout
