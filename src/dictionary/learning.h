// SPDX-License-Identifier: Apache-2.0
// Private: what all dictionary learners share. The number of atoms and the samples they are learned from (all, or
// D = [D₁|…|D_C] with a part for each class), the stopping criterion, and the reset of unused atoms.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "core/sample_rows.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "foldout/dictionary/dictionary.h"

namespace foldout {

/// Learns `count` atoms from at least as many samples. Classes are learned in parallel, each with its own context.
using AtomLearner = std::function<Dictionary(const SampleRows& samples, Index count, const RunContext& context)>;

/// Throws InvalidArgument if the numbers do not match the samples or their labels. If there are fewer distinct samples
/// (in a class) than atoms, each becomes an atom; the report says so.
[[nodiscard]] Dictionary learn_atoms(const SampleRows& samples, const std::vector<int>& labels,
                                     std::optional<int> n_atoms, std::optional<int> atoms_per_class,
                                     std::string_view name, const RunContext& context, const AtomLearner& learn);

/// "atoms_reduced", if there are fewer atoms than requested.
void note_reduced(Index wanted, Dictionary& dictionary);

/// "tau_reduced", if there are fewer than `tau` atoms.
void note_tau(int tau, Dictionary& dictionary);

/// Number of atoms and objectives, in the report.
void report_atoms(Dictionary& dictionary);

/// Throws InvalidArgument if the inner products of all atoms do not fit into memory. Learners whose codes may use every
/// atom store them.
void require_room_for_products(Index n_atoms, std::string_view name, const RunContext& context);

/// Whether the last three iterations together reduced the objective by less than this fraction. Three, because
/// objectives may fluctuate, and two successive values can agree by chance. Never with a tolerance of 0.
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

/// Resets atoms with usage 0 to the worst-coded samples, each to a different one; returns how many.
/// `costs`: of the held samples.
Index reseed_unused(const SampleRows& samples, const Vector& usage, const Vector& costs, Matrix& atoms);

/// "atoms_reseeded", if there are any.
void note_reseeded(Index count, Report& report);

}  // namespace foldout
