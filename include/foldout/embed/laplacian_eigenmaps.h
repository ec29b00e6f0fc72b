// SPDX-License-Identifier: Apache-2.0
// Laplacian Eigenmaps (Belkin and Niyogi, 2003).
#pragma once

#include <memory>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/embed/embedding.h"

namespace [[gnu::visibility("default")]] foldout {

struct GraphRule;

struct LaplacianEigenmapsOptions {
  int n_components = 2;                           ///< d ≥ 1, less than the number of samples
  GraphKind graph = GraphKind::kKnn;              ///< which samples are joined
  int n_neighbors = 10;                           ///< k of knn and mutual graphs
  std::optional<double> radius = {};              ///< of ball graphs
  EdgeWeights weights = EdgeWeights::kHeat;       ///< W
  std::optional<double> width = {};               ///< β of heat weights
  WidthRule width_rule = WidthRule::kAuto;        ///< what width=auto averages
  bool self_loops = false;                        ///< W_ii = 1 instead of 0
  Metric metric = Metric::kEuclidean;             ///< of the neighbour search
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  Components components = Components::kConnect;   ///< treatment of disconnected graphs
  EigenSolver solver = EigenSolver::kAuto;        ///< of the eigenproblem
  std::uint64_t seed = 0;                         ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(LaplacianEigenmapsOptions& options);

/// eigenvalues: the λ of L z = λ D z, smallest first, without the trivial 0.
struct LaplacianEigenmapsFit : Embedding {
  Vector degrees;                         ///< D_ii of the embedded samples
  double width = 0;                       ///< β that was used (0: the weights have no width)
  double radius = 0;                      ///< of a ball graph
  std::shared_ptr<const GraphRule> rule;  ///< joins new samples to the graph, for extend_nystrom()
  std::vector<Index> kept;                ///< the samples in the graph; empty: all
};

[[nodiscard]] LaplacianEigenmapsFit fit_laplacian_eigenmaps(const MatrixRef& samples,
                                                            const LaplacianEigenmapsOptions& options = {},
                                                            const RunContext& context = {});

}  // namespace foldout
