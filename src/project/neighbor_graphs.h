// SPDX-License-Identifier: Apache-2.0
// Private: the graphs shared by LPP and OLPP, and by NPE and ONPP.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"

namespace foldout {

struct LocalityOptions {
  bool supervised = false;
  std::optional<int> n_neighbors = {};
  GraphKind graph = GraphKind::kKnn;
  EdgeWeights weights = EdgeWeights::kHeat;
  std::optional<double> width = {};
  std::optional<double> radius = {};
  Components components = Components::kConnect;
};

/// A matrix over the samples of a graph, those that components=largest left out excepted.
struct GraphMatrix {
  SparseMatrix matrix;
  std::vector<Index> kept;  ///< the samples in the graph; empty: all
};

/// W of LPP: an affinity graph of the points; if supervised, samples of a class are joined, all or the k nearest.
[[nodiscard]] GraphMatrix locality_graph(const MatrixRef& points, const std::vector<int>& labels,
                                         const LocalityOptions& options, std::string_view method,
                                         const RunContext& context, Report& report);

struct ReconstructionOptions {
  bool supervised = false;
  int n_neighbors = 10;
  double reg = 1e-3;
  Components components = Components::kConnect;
};

/// I − R with the reconstruction weights R over the nearest samples, of the same class if supervised; its rows are not
/// sorted. The cost of coordinates, (I − R)ᵀ(I − R), has several times as many entries.
[[nodiscard]] GraphMatrix reconstruction_graph(const MatrixRef& points, const std::vector<int>& labels,
                                               const ReconstructionOptions& options, std::string_view method,
                                               const RunContext& context, Report& report);

}  // namespace foldout
