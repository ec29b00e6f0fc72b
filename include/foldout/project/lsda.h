// SPDX-License-Identifier: Apache-2.0
// Locality sensitive discriminant analysis (Cai et al., 2007).
#pragma once

#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

struct LsdaOptions {
  int n_components = 2;                         ///< d
  std::optional<int> n_neighbors = {};          ///< k; auto: all samples
  double alpha = 0.1;                           ///< α, weight of the separation of classes
  double ridge = 0.1;                           ///< on the denominator, relative to trace/rank
  FeatureKind features = FeatureKind::kLinear;  ///< features the map is linear in
  KernelKind kernel = KernelKind::kGaussian;    ///< of kernel features
  std::optional<double> width = {};             ///< β of Gaussians and heat weights; auto: mean squared distance
  int degree = 2;                               ///< of polynomials
  GraphSpace graph_space = GraphSpace::kInput;  ///< space of neighbours and weights
};
[[nodiscard]] Fields fields(LsdaOptions& options);

/// eigenvalues: largest first.
[[nodiscard]] ProjectionFit fit_lsda(const MatrixRef& samples, const std::vector<int>& labels,
                                     const LsdaOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
