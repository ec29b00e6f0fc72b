// SPDX-License-Identifier: Apache-2.0
// The rule by which a graph was built, used to join new samples to it.
#pragma once

#include <memory>
#include <optional>

#include "core/tally.h"
#include "foldout/core/choices.h"
#include "foldout/core/types.h"
#include "linalg/metric_distances.h"
#include "neighbors/neighbors.h"

namespace foldout {

struct GraphRule {
  GraphKind graph = GraphKind::kKnn;
  int n_neighbors = 10;
  double radius = 0;  ///< of balls
  EdgeWeights weights = EdgeWeights::kHeat;
  double width = 1;  ///< β of heat weights
  NeighborOptions search = {};
  /// Whether the rule gives a sample of the graph its exact row of W. This requires a ball or full graph with
  /// self-loops and without bridges: the k nearest of a new sample are known, but not the samples that would have it
  /// among theirs.
  bool reproduces_rows = false;
};

/// Rows of W for new samples: a knn or mutual graph joins a sample to its k nearest, a ball graph to those within the
/// radius (or only to the nearest, with a remark, if there are none), a full graph to all.
class GraphRows {
 public:
  /// `samples` are those of the graph and must outlive this object. If distances are precomputed, only the number of
  /// their columns counts, and new samples are rows of distances.
  GraphRows(const Matrix& samples, const GraphRule& rule);
  ~GraphRows();

  /// One row per sample, up to a factor per row: the largest heat weight of a row is 1, so no row vanishes.
  [[nodiscard]] SparseMatrix weights(const MatrixRef& samples, Tally& tally) const;

 private:
  const Matrix& samples_;
  GraphRule rule_;
  std::optional<DistancesTo> distances_;  // for ball and full graphs
  std::unique_ptr<NeighborIndex> index_;  // for k-NN graphs
};

}  // namespace foldout
