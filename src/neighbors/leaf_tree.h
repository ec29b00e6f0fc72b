// SPDX-License-Identifier: Apache-2.0
// Private: exact nearest neighbours in two or three dimensions, by a KD-tree whose leaves are full: eight samples,
// as many as a register takes.
#pragma once

#include <memory>

#include "neighbors/searches.h"

namespace foldout {

/// For samples with two or three features; measures are squared Euclidean distances.
[[nodiscard]] std::unique_ptr<SearchStructure> make_leaf_tree(const MatrixRef& samples);

}  // namespace foldout
