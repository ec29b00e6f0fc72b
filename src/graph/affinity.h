// SPDX-License-Identifier: Apache-2.0
// Weighted neighbourhood graphs: their edges (k-NN, mutual k-NN, ball, full, L1) and weights.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "graph/graph_rule.h"
#include "graph/neighborhoods.h"
#include "neighbors/neighbors.h"

namespace foldout {

struct GraphOptions {
  GraphKind graph = GraphKind::kKnn;
  int n_neighbors = 10;
  std::optional<double> radius = {};  ///< of balls; auto: the longest distance to an n_neighbors-th neighbour
  EdgeWeights weights = EdgeWeights::kHeat;
  std::optional<double> width = {};  ///< β; auto: the mean squared distance (width_rule)
  WidthRule width_rule = WidthRule::kAuto;
  bool self_loops = false;
  Metric metric = Metric::kEuclidean;
  NeighborSearch search = NeighborSearch::kAuto;
  Components components = Components::kConnect;
  std::uint64_t seed = 0;
};

/// The graph of the kept samples, connected. Exactly one of `sparse` and `dense` is used.
struct AffinityGraph {
  SparseMatrix sparse;      ///< symmetric weights; for every kind except full
  Matrix dense;             ///< symmetric weights of the full graph
  double width = 0;         ///< β used; 0 if the weights have none
  double radius = 0;        ///< of balls, as used
  std::vector<Index> kept;  ///< see Neighborhoods::kept
  GraphRule rule;           ///< how a new sample is joined

  [[nodiscard]] bool is_dense() const { return dense.size() > 0; }
  [[nodiscard]] Index size() const { return is_dense() ? dense.rows() : sparse.rows(); }
  /// D_ii = Σ_j W_ij
  [[nodiscard]] Vector degrees() const;
};

[[nodiscard]] AffinityGraph build_affinity_graph(const MatrixRef& samples, const GraphOptions& options,
                                                 const RunContext& context, Report& report);

/// Only the edges, with their lengths (a length of 0, between duplicates, is an edge): symmetric and connected.
struct DistanceGraph {
  SparseMatrix lengths;
  std::vector<Gap> bridges;  ///< edges added to join components
  SparseMatrix codes;        ///< of an L1 graph: its weights, before bridges
  double radius = 0;
  std::vector<Index> kept;
};
[[nodiscard]] DistanceGraph build_distance_graph(const MatrixRef& samples, const GraphOptions& options,
                                                 const RunContext& context, Report& report);

/// Mean of ‖x_i − x_j‖² over all pairs i ≠ j, in time linear in n.
[[nodiscard]] double mean_squared_pair_distance(const MatrixRef& samples);
/// Mean of (1 − cos(x_i, x_j))² over all pairs i ≠ j, the same for cosine distances.
[[nodiscard]] double mean_squared_cosine_distance(const MatrixRef& samples);

}  // namespace foldout
