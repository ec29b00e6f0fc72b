// SPDX-License-Identifier: Apache-2.0
// Samples to start from: drawn at random, or spread out.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// So many samples for each atom are enough to find a start among.
inline constexpr Index kStartPerAtom = 20;

/// Up to `count` different samples, drawn at random, in the order of the samples; fewer where there are no more.
[[nodiscard]] std::vector<Index> draw_samples(const MatrixRef& samples, Index count, std::uint64_t seed);

/// The same, far from each other: each is the best of a few that are drawn with a chance proportional to their squared
/// distance from those before (the start of k-means++, greedy).
[[nodiscard]] std::vector<Index> spread_out(const MatrixRef& samples, Index count, std::uint64_t seed,
                                            const RunContext& context = {});

/// The centres of a short k-means (which starts from samples that are spread out), or samples drawn at random. Fewer
/// rows where there are fewer different samples.
[[nodiscard]] Matrix starting_atoms(const MatrixRef& samples, Index count, DictionaryStart start, std::uint64_t seed,
                                    const RunContext& context = {});

}  // namespace foldout
