// SPDX-License-Identifier: Apache-2.0
// Isomap (Tenenbaum, de Silva and Langford, 2000) and Landmark Isomap (de Silva and Tenenbaum, 2003).
#pragma once

#include <memory>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/embed/embedding.h"

namespace [[gnu::visibility("default")]] foldout {

struct IsomapOptions {
  int n_components = 2;                           ///< d
  GraphKind graph = GraphKind::kKnn;              ///< knn, mutual or ball
  int n_neighbors = 10;                           ///< k
  std::optional<double> radius = {};              ///< of ball graphs
  Metric metric = Metric::kEuclidean;             ///< lengths of the edges
  NeighborSearch search = NeighborSearch::kAuto;  ///< of neighbours
  Components components = Components::kConnect;   ///< treatment of disconnected graphs
  EigenSolver solver = EigenSolver::kAuto;        ///< dense or lanczos
  std::uint64_t seed = 0;                         ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(IsomapOptions& options);

enum class LandmarkChoice { kMaxMin, kRandom };
template <>
inline constexpr auto kNames<LandmarkChoice> = std::array<std::string_view, 2>{"maxmin", "random"};

struct LandmarkIsomapOptions {
  int n_components = 2;                                ///< d
  std::optional<int> n_landmarks = {};                 ///< greater than d; auto: 100, or 10(d+1) if that is greater
  LandmarkChoice landmarks = LandmarkChoice::kMaxMin;  ///< far from each other, or drawn at random
  GraphKind graph = GraphKind::kKnn;                   ///< knn, mutual or ball
  int n_neighbors = 10;                                ///< k
  std::optional<double> radius = {};                   ///< of ball graphs
  Metric metric = Metric::kEuclidean;                  ///< lengths of the edges
  NeighborSearch search = NeighborSearch::kAuto;       ///< of neighbours
  Components components = Components::kConnect;        ///< treatment of disconnected graphs
  std::uint64_t seed = 0;                              ///< of the landmarks
};
[[nodiscard]] Fields fields(LandmarkIsomapOptions& options);

/// Coordinates from squared geodesic distances δ² to the anchors: y = (means − δ²)ᵀ P. The anchors of Isomap are all
/// embedded samples, those of Landmark Isomap the landmarks.
struct Triangulation {
  Vector means;  ///< mean squared distance of each anchor to all anchors
  Matrix P;      ///< ½ Y Λ⁻¹, one row per anchor
};

/// eigenvalues: of the doubly centred squared geodesic distances, largest first.
struct IsomapFit : Embedding {
  std::vector<Index> kept;  ///< the samples in the graph; empty: all
  SparseMatrix lengths;     ///< the neighbourhood graph
  GraphKind graph = GraphKind::kKnn;
  int n_neighbors = 0;
  Metric metric = Metric::kEuclidean;
  double radius = 0;           ///< of a ball graph, 0 otherwise
  std::vector<Index> anchors;  ///< landmarks, as rows of the graph; empty for Isomap: all rows
  Matrix anchor_distances;     ///< Landmark Isomap: geodesic distance of every embedded sample to every landmark
  Triangulation triangulation;
  /// Isomap: geodesic distances between the embedded samples, which make placing fast. Null if there are too many
  /// samples or there is too little memory; placing then computes the rows that it needs, or searches the graph.
  std::shared_ptr<const Matrix> geodesics;
};

[[nodiscard]] IsomapFit fit_isomap(const MatrixRef& samples, const IsomapOptions& options = {},
                                   const RunContext& context = {});
[[nodiscard]] IsomapFit fit_landmark_isomap(const MatrixRef& samples, const LandmarkIsomapOptions& options = {},
                                            const RunContext& context = {});

}  // namespace foldout
