// SPDX-License-Identifier: Apache-2.0
// Initial atoms: samples drawn at random, or spread out.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/sample_rows.h"
#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

/// Samples for each atom that suffice for initialisation.
inline constexpr Index kStartPerAtom = 20;

/// `count` distinct samples drawn at random, in the order of the samples; all distinct samples if there are fewer.
[[nodiscard]] std::vector<Index> draw_samples(const SampleRows& samples, Index count, std::uint64_t seed);

/// The same, far from each other: each is the best of a few drawn with probability proportional to their squared
/// distance from the previous ones (greedy k-means++).
[[nodiscard]] std::vector<Index> spread_out(const SampleRows& samples, Index count, std::uint64_t seed,
                                            const RunContext& context = {});

/// The centres of a few iterations of k-means from spread-out samples, or samples drawn at random. Fewer rows if there
/// are fewer distinct samples.
[[nodiscard]] Matrix starting_atoms(const SampleRows& samples, Index count, DictionaryStart start, std::uint64_t seed,
                                    const RunContext& context = {});

}  // namespace foldout
