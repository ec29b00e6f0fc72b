// SPDX-License-Identifier: Apache-2.0
// Conformal embedding analysis (Fu, Liu and Huang, 2007) and its kernel variant: supervised, by angles.
#pragma once

#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

enum class CeaWeights { kRigid, kSoft, kUnbalanced };
template <>
inline constexpr auto kNames<CeaWeights> = std::array<std::string_view, 3>{"rigid", "soft", "unbalanced"};

enum class CeaRule { kEither, kMutual };
template <>
inline constexpr auto kNames<CeaRule> = std::array<std::string_view, 2>{"either", "mutual"};

struct CeaOptions {
  std::optional<int> n_components = {};     ///< d; auto: number of classes − 1
  std::optional<int> ks = {};               ///< nearest samples of the same class; unset: all
  std::optional<int> kd = 8;                ///< nearest samples of other classes; unset: all
  CeaWeights weights = CeaWeights::kRigid;  ///< of both graphs
  CeaRule rule = CeaRule::kEither;  ///< join two samples if either, or only if both, are neighbours of the other
  double t = 1;                     ///< scale of soft weights exp((cos − 1)/t)
  double ts = 1;                    ///< the same within classes, if unbalanced
  double td = 1;                    ///< the same between classes, if unbalanced
  double ridge = 0.01;              ///< on the within-class graph, relative to trace/rank
  FeatureKind features = FeatureKind::kLinear;  ///< features the map is linear in
  KernelKind kernel = KernelKind::kGaussian;    ///< of kernel features
  std::optional<double> width = {};             ///< β of Gaussians and heat weights; auto: mean squared distance
  int degree = 2;                               ///< of polynomials
  GraphSpace graph_space = GraphSpace::kInput;  ///< space of neighbours and weights
};
[[nodiscard]] Fields fields(CeaOptions& options);

/// eigenvalues: largest first. Columns of V have unit length, and no mean is subtracted, because cosines depend on the
/// origin.
[[nodiscard]] ProjectionFit fit_cea(const MatrixRef& samples, const std::vector<int>& labels,
                                    const CeaOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
