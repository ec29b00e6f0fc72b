// SPDX-License-Identifier: Apache-2.0
// Linear discriminant analysis (Fisher, 1936; Rao, 1948).
#pragma once

#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

struct LdaOptions {
  std::optional<int> n_components = {};         ///< d; auto: number of classes − 1
  double ridge = 0.1;                           ///< on the total scatter, relative to trace/rank
  FeatureKind features = FeatureKind::kLinear;  ///< features the map is linear in
  KernelKind kernel = KernelKind::kGaussian;    ///< of kernel features
  std::optional<double> width = {};             ///< β of the Gaussian; auto: mean squared distance of all pairs
  int degree = 2;                               ///< of polynomials
  GraphSpace graph_space = GraphSpace::kInput;  ///< lda has no neighbours: only input is accepted
};
[[nodiscard]] Fields fields(LdaOptions& options);

/// eigenvalues: between-class over total scatter, largest first.
[[nodiscard]] ProjectionFit fit_lda(const MatrixRef& samples, const std::vector<int>& labels,
                                    const LdaOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
