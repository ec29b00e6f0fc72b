// SPDX-License-Identifier: Apache-2.0
// Orthogonal locality preserving projections: both algorithms of that name.
#pragma once

#include <optional>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

/// one-shot: VᵀV = I, all columns at once (Kokiopoulou and Saad, 2007); sequential: each column minimises the quotient
/// vᵀΦᵀLΦv / vᵀΦᵀDΦv orthogonally to the previous ones (Cai and He, 2006). Their subspaces differ.
enum class OlppAlgorithm { kOneShot, kSequential };
template <>
inline constexpr auto kNames<OlppAlgorithm> = std::array<std::string_view, 2>{"oneshot", "sequential"};

struct OlppOptions {
  int n_components = 2;  ///< d
  OlppAlgorithm algorithm = OlppAlgorithm::kOneShot;
  bool supervised = false;                       ///< join samples of a class instead of neighbours
  std::optional<int> n_neighbors = {};           ///< k; auto: 10, or all of the class if supervised
  GraphKind graph = GraphKind::kKnn;             ///< which samples are joined, unless supervised
  EdgeWeights weights = EdgeWeights::kHeat;      ///< of the edges
  double ridge = 1e-6;                           ///< on the cost (sequential only), relative to trace/rank
  FeatureKind features = FeatureKind::kLinear;   ///< features the map is linear in
  KernelKind kernel = KernelKind::kGaussian;     ///< of kernel features
  std::optional<double> width = {};              ///< β of Gaussians and heat weights; auto: mean squared distance
  int degree = 2;                                ///< of polynomials
  GraphSpace graph_space = GraphSpace::kInput;   ///< space of neighbours and weights
  std::optional<double> radius = {};             ///< of ball graphs; auto: the longest distance to a k-th neighbour
  Components components = Components::kConnect;  ///< treatment of disconnected graphs, unless supervised
};
[[nodiscard]] Fields fields(OlppOptions& options);

/// eigenvalues: of the cost, smallest first. `labels` may be empty unless supervised.
[[nodiscard]] ProjectionFit fit_olpp(const MatrixRef& samples, const std::vector<int>& labels,
                                     const OlppOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
