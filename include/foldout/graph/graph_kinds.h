// SPDX-License-Identifier: Apache-2.0
// The kinds of graphs and of their weights.
#pragma once

#include <array>
#include <string_view>

#include "foldout/core/fields.h"

namespace foldout {

/// knn: i and j are joined if either is among the k nearest of the other; mutual: if both are; ball: within `radius`;
/// full: all pairs; l1: if either stands in the sparse code of the other over all samples, the codes being the weights.
enum class GraphKind { kKnn, kMutual, kBall, kFull, kL1 };
template <>
inline constexpr auto kNames<GraphKind> = std::array<std::string_view, 5>{"knn", "mutual", "ball", "full", "l1"};

/// heat: exp(−d²/width); binary: 1; cosine: the cosine of the two samples, negative ones count as 0.
enum class EdgeWeights { kHeat, kBinary, kCosine };
template <>
inline constexpr auto kNames<EdgeWeights> = std::array<std::string_view, 3>{"heat", "binary", "cosine"};

}  // namespace foldout
