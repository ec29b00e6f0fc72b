// SPDX-License-Identifier: Apache-2.0
// Principal component analysis (Pearson, 1901).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/embed/embedding.h"
#include "foldout/maps/explicit_map.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

struct PcaOptions {
  ComponentCount n_components = 2;              ///< d, at most the rank of the centred features; or what to explain
  FeatureKind features = FeatureKind::kLinear;  ///< features the map is linear in
  KernelKind kernel = KernelKind::kGaussian;    ///< of kernel features
  std::optional<double> width = {};             ///< β of Gaussians; auto: mean squared distance
  int degree = 2;                               ///< of polynomials
};
[[nodiscard]] Fields fields(PcaOptions& options);

/// eigenvalues: the variances (divisor n) of the coordinates, largest first.
using PcaFit = ProjectionFit;

[[nodiscard]] PcaFit fit_pca(const MatrixRef& samples, const PcaOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
