// SPDX-License-Identifier: Apache-2.0
// Private: steps shared by several embeddings.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/error.h"
#include "foldout/core/report.h"
#include "foldout/embed/embedding.h"
#include "graph/affinity.h"
#include "graph/neighborhoods.h"
#include "linalg/eigenpairs.h"

namespace foldout {

/// n_components must be less than the number of embedded samples.
void require_components(int n_components, Index n_samples, std::string_view method);

/// The graph options of a method that has them all as its own fields.
template <class Options>
[[nodiscard]] GraphOptions graph_options(const Options& o, EdgeWeights weights) {
  return {.graph = o.graph,
          .n_neighbors = o.n_neighbors,
          .radius = o.radius,
          .weights = weights,
          .width = o.width,
          .width_rule = o.width_rule,
          .self_loops = o.self_loops,
          .metric = o.metric,
          .search = o.search,
          .components = o.components,
          .seed = o.seed};
}

/// The same for methods that need only the edges and their lengths.
template <class Options>
[[nodiscard]] GraphOptions distance_graph_options(const Options& o) {
  return {.graph = o.graph,
          .n_neighbors = o.n_neighbors,
          .radius = o.radius,
          .metric = o.metric,
          .search = o.search,
          .components = o.components,
          .seed = o.seed};
}

template <class Options>
[[nodiscard]] NeighborListOptions neighborhood_options(const Options& o) {
  return {o.n_neighbors, o.metric, o.search, o.components, o.seed};
}

/// Writes solver, residual and iterations of an eigenproblem into the report.
void report_eigenpairs(const Eigenpairs& pairs, Report& report);

/// Eigenvectors of a symmetric normalised graph D^(−½) W D^(−½) other than the trivial D^(½)1, those of its largest
/// eigenvalues first; `values` of the result are the eigenvalues of the graph, not of its Laplacian. The weights are
/// freed to make room for the eigenproblem.
[[nodiscard]] Eigenpairs graph_eigenpairs(AffinityGraph& graph, const Vector& degrees, const EigenOptions& options,
                                          const RunContext& context, Report& report);

/// A neighbourhood's part of the cost is yᵀ B y over its members, with B = F Fᵀ (kOuter) or B = I − F Fᵀ (kComplement);
/// in both cases B 1 = 0. F is computed for neighbourhood i into a matrix of zeros, of one row per member and
/// `n_columns` columns.
enum class LocalCost : char { kOuter, kComplement };
using LocalFactor = std::function<LocalCost(Index i, std::span<const int> members, Eigen::Ref<Matrix> F)>;

/// M = Σ_i S_i B_i S_iᵀ over the neighbourhoods, with the sample itself as the first member if `include_self`. Progress
/// is reported as `phase`.
[[nodiscard]] SparseMatrix align(const Neighborhoods& neighborhoods, bool include_self, Index n_columns,
                                 const LocalFactor& factor, std::string_view phase, const RunContext& context);

/// The embedding of the kept samples that minimises tr(Yᵀ M Y) with mean 0 and covariance I; the others are placed by
/// place_left_out(), and duplicates get the coordinates of the first.
[[nodiscard]] Embedding bottom_embedding(const SparseMatrix& M, const DistinctSamples& samples,
                                         const Neighborhoods& neighborhoods, const EigenOptions& options,
                                         const RunContext& context, Report report);

/// Coordinates of all samples from those of the kept ones: the others by reconstruction weights over kept neighbours.
[[nodiscard]] Matrix place_left_out(const MatrixRef& samples, const std::vector<Index>& kept, Matrix coordinates,
                                    int n_neighbors, const RunContext& context);

/// The first `d` left singular vectors of the centred rows `members` of `samples`, one row per member; fewer columns if
/// the neighbourhood has a lower rank.
[[nodiscard]] ColMatrix tangent_coordinates(const MatrixRef& samples, std::span<const int> members, Index d);

}  // namespace foldout
