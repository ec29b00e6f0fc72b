// SPDX-License-Identifier: Apache-2.0
// Locality preserving projections (He and Niyogi, 2003): Laplacian Eigenmaps with an explicit map.
#pragma once

#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

struct LppOptions {
  int n_components = 2;                      ///< d
  bool supervised = false;                   ///< join samples of a class instead of neighbours
  std::optional<int> n_neighbors = {};       ///< k; auto: 10, or all of the class if supervised
  GraphKind graph = GraphKind::kKnn;         ///< which samples are joined, unless supervised
  EdgeWeights weights = EdgeWeights::kHeat;  ///< of the edges
  std::optional<double> ridge = {};  ///< on the cost, relative to trace/rank; auto: 0.1 if supervised, otherwise 1e-6
  FeatureKind features = FeatureKind::kLinear;   ///< features the map is linear in
  KernelKind kernel = KernelKind::kGaussian;     ///< of kernel features
  std::optional<double> width = {};              ///< β of Gaussians and heat weights; auto: mean squared distance
  int degree = 2;                                ///< of polynomials
  GraphSpace graph_space = GraphSpace::kInput;   ///< space of neighbours and weights
  std::optional<double> radius = {};             ///< of ball graphs; auto: the longest distance to a k-th neighbour
  Components components = Components::kConnect;  ///< treatment of disconnected graphs, unless supervised
};
[[nodiscard]] Fields fields(LppOptions& options);

/// eigenvalues: λ of ΦᵀLΦ v = λ ΦᵀDΦ v, smallest first. `labels` may be empty unless supervised.
[[nodiscard]] ProjectionFit fit_lpp(const MatrixRef& samples, const std::vector<int>& labels,
                                    const LppOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
