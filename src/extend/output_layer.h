// SPDX-License-Identifier: Apache-2.0
// Private: the output layer of an extreme learning machine whose hidden nodes are given.
#pragma once

#include <memory>
#include <optional>

#include "foldout/core/report.h"
#include "foldout/maps/explicit_map.h"
#include "maps/feature_map.h"

namespace foldout {

/// What extend_elm() does once it has drawn the nodes.
[[nodiscard]] std::shared_ptr<const ExplicitMap> train_output_layer(const MatrixRef& samples,
                                                                    const MatrixRef& coordinates, RandomNodes nodes,
                                                                    std::optional<double> ridge, Report& report);

}  // namespace foldout
