// SPDX-License-Identifier: Apache-2.0
// Graphs that know the labels: which samples of the same class are joined, and which of different classes.
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
  std::optional<int> n_neighbors = {};  ///< the nearest of that kind; empty: all of them
  bool mutual = false;                  ///< joined if both name each other instead of either
};

/// Joined samples with weight(i, j), symmetric, without a diagonal. `similarity(i, j)` says which are nearest: larger
/// is nearer, ties by index. Every sample's neighbours of the kind are ranked, so the cost is n² similarities.
[[nodiscard]] SparseMatrix class_graph(const std::vector<int>& labels, const ClassGraphOptions& options,
                                       const std::function<double(Index, Index)>& similarity,
                                       const std::function<double(Index, Index)>& weight,
                                       const RunContext& context = {});

}  // namespace foldout
