// SPDX-License-Identifier: Apache-2.0
// Private: the output layer of an extreme learning machine whose hidden nodes are given.
#pragma once

#include <optional>

#include "foldout/extend/extension.h"
#include "maps/feature_map.h"

namespace foldout {

/// What extend_elm() does once it has drawn the nodes.
[[nodiscard]] Extension train_output_layer(const MatrixRef& samples, const MatrixRef& coordinates, RandomNodes nodes,
                                           std::optional<double> ridge);

}  // namespace foldout
