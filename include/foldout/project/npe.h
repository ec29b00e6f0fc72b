// SPDX-License-Identifier: Apache-2.0
// Neighbourhood preserving embedding (He et al., 2005), also called NPP: LLE with an explicit map.
#pragma once

#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

struct NpeOptions {
  int n_components = 2;                          ///< d
  int n_neighbors = 10;                          ///< k
  bool supervised = false;                       ///< neighbours of the same class only
  double reg = 1e-3;                             ///< of the local Gram matrix, relative to its trace
  double ridge = 1e-6;                           ///< on the cost, relative to trace/rank
  FeatureKind features = FeatureKind::kLinear;   ///< features the map is linear in
  KernelKind kernel = KernelKind::kGaussian;     ///< of kernel features
  std::optional<double> width = {};              ///< β of Gaussians and heat weights; auto: mean squared distance
  int degree = 2;                                ///< of polynomials
  GraphSpace graph_space = GraphSpace::kInput;   ///< space of neighbours and weights
  Components components = Components::kConnect;  ///< treatment of disconnected graphs, unless supervised
};
[[nodiscard]] Fields fields(NpeOptions& options);

/// Coordinates have mean 0 and covariance I. eigenvalues: of the cost, smallest first. `labels` may be empty unless
/// supervised.
[[nodiscard]] ProjectionFit fit_npe(const MatrixRef& samples, const std::vector<int>& labels,
                                    const NpeOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
