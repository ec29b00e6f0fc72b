// SPDX-License-Identifier: Apache-2.0
// Supervised graphs: samples of the same class, or of different classes, are joined.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"

namespace foldout {

enum class Kinship { kSame, kDifferent };

struct ClassGraphOptions {
  Kinship kinship = Kinship::kSame;
  std::optional<int> n_neighbors = {};  ///< nearest samples of that kind to join; empty: all
  bool mutual = false;                  ///< join i and j only if each is among the nearest of the other
};

/// Edges with weight(i, j), symmetric, with zero diagonal. `similarity(i, j)` ranks the neighbours: larger is nearer,
/// ties are broken by index. The cost is that of n² similarities.
[[nodiscard]] SparseMatrix class_graph(const std::vector<int>& labels, const ClassGraphOptions& options,
                                       const std::function<double(Index, Index)>& similarity,
                                       const std::function<double(Index, Index)>& weight,
                                       const RunContext& context = {});

}  // namespace foldout
