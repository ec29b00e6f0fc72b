// SPDX-License-Identifier: Apache-2.0
// Conformal embedding analysis (Fu, Liu and Huang, 2007) and its kernel form: supervised, by angles.
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
  std::optional<int> n_components = {};         ///< d; auto: one less than there are classes
  std::optional<int> ks = {};                   ///< nearest samples of the same class; all
  std::optional<int> kd = 8;                    ///< nearest samples of other classes; or all
  CeaWeights weights = CeaWeights::kRigid;      ///< of both graphs
  CeaRule rule = CeaRule::kEither;              ///< which naming joins two samples
  double t = 1;                                 ///< of soft weights exp((cos − 1)/t)
  double ts = 1;                                ///< the same, of the graph of classes, if unbalanced
  double td = 1;                                ///< the same, between classes, if unbalanced
  double ridge = 0.01;                          ///< on the graph of classes, relative to trace/rank
  FeatureKind features = FeatureKind::kLinear;  ///< what the map is linear in
  KernelKind kernel = KernelKind::kGaussian;    ///< of kernel features
  std::optional<double> width = {};             ///< β of Gaussians and heat weights; auto: mean squared distance
  int degree = 2;                               ///< of polynomials
  GraphSpace graph_space = GraphSpace::kInput;  ///< where neighbours and weights are looked for
};
[[nodiscard]] Fields fields(CeaOptions& options);

/// eigenvalues: largest first. Columns of V have unit length, and no mean is subtracted: cosines depend on that.
[[nodiscard]] ProjectionFit fit_cea(const MatrixRef& samples, const std::vector<int>& labels,
                                    const CeaOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
