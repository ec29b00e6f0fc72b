// SPDX-License-Identifier: Apache-2.0
// Private: how many atoms, and of which samples: of all, or D = [D₁|…|D_C] with a part for each class.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "foldout/core/context.h"
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

}  // namespace foldout
