// SPDX-License-Identifier: Apache-2.0
// Diffusion maps (Coifman and Lafon, 2006).
#pragma once

#include <memory>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/embed/embedding.h"

namespace [[gnu::visibility("default")]] foldout {

struct GraphRule;

struct DiffusionMapsOptions {
  int n_components = 2;               ///< d
  double alpha = 1;                   ///< α in [0, 1]: 0 keeps the influence of the sampling density, 1 removes it
  int time = 1;                       ///< t ≥ 0 steps of the random walk
  GraphKind graph = GraphKind::kKnn;  ///< which samples are joined
  int n_neighbors = 10;               ///< k of knn and mutual graphs
  std::optional<double> radius = {};  ///< of ball graphs
  std::optional<double> width = {};   ///< β of the heat kernel
  WidthRule width_rule = WidthRule::kAuto;        ///< what width=auto averages
  bool self_loops = true;                         ///< the walk may stay at a sample: k(x, x) = 1
  Metric metric = Metric::kEuclidean;             ///< of the neighbour search
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  Components components = Components::kConnect;   ///< treatment of disconnected graphs
  EigenSolver solver = EigenSolver::kAuto;        ///< of the eigenproblem
  std::uint64_t seed = 0;                         ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(DiffusionMapsOptions& options);

/// eigenvalues: of the random walk, largest first, without the trivial 1.
struct DiffusionMapsFit : Embedding {
  Vector density;    ///< q_i = Σ_j k(x_i, x_j) of the embedded samples
  Vector degrees;    ///< row sums after the α-normalisation
  double width = 0;  ///< β that was used
  double radius = 0;
  double alpha = 1;                       ///< as in the options
  std::shared_ptr<const GraphRule> rule;  ///< joins new samples to the graph, for extend_nystrom()
  std::vector<Index> kept;                ///< the samples in the graph; empty: all
};

[[nodiscard]] DiffusionMapsFit fit_diffusion_maps(const MatrixRef& samples, const DiffusionMapsOptions& options = {},
                                                  const RunContext& context = {});

}  // namespace foldout
