// SPDX-License-Identifier: Apache-2.0
// What the explicit maps have in common: which features they are linear in, and what a fit returns.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "foldout/core/fields.h"
#include "foldout/embed/embedding.h"
#include "foldout/maps/explicit_map.h"

namespace foldout {

/// The map is linear in these: the sample, its kernel row, all monomials up to a degree, or powers of single features.
enum class FeatureKind { kLinear, kKernel, kPolynomial, kHadamard };
template <>
inline constexpr auto kNames<FeatureKind> =
    std::array<std::string_view, 4>{"linear", "kernel", "polynomial", "hadamard"};

/// Where neighbours and weights are looked for: among the samples or among their features.
enum class GraphSpace { kInput, kFeatures };
template <>
inline constexpr auto kNames<GraphSpace> = std::array<std::string_view, 2>{"input", "features"};

struct ProjectionFit : Embedding {
  std::shared_ptr<const ExplicitMap> map;
};

}  // namespace foldout
