// SPDX-License-Identifier: Apache-2.0
// Orthogonal neighbourhood preserving projections (Kokiopoulou and Saad, 2007).
#pragma once

#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

struct OnppOptions {
  int n_components = 2;                          ///< d
  int n_neighbors = 10;                          ///< k
  bool supervised = false;                       ///< neighbours of the same class only
  double reg = 1e-3;                             ///< of the local Gram matrix, relative to its trace
  FeatureKind features = FeatureKind::kLinear;   ///< features the map is linear in
  KernelKind kernel = KernelKind::kGaussian;     ///< of kernel features
  std::optional<double> width = {};              ///< β of Gaussians and heat weights; auto: mean squared distance
  int degree = 2;                                ///< of polynomials
  GraphSpace graph_space = GraphSpace::kInput;   ///< space of neighbours and weights
  Components components = Components::kConnect;  ///< treatment of disconnected graphs, unless supervised
};
[[nodiscard]] Fields fields(OnppOptions& options);

/// V has orthonormal columns. eigenvalues: of the cost, smallest first. `labels` may be empty unless supervised.
[[nodiscard]] ProjectionFit fit_onpp(const MatrixRef& samples, const std::vector<int>& labels,
                                     const OnppOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
