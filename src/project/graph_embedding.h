// SPDX-License-Identifier: Apache-2.0
// Private: the eigenproblem of all explicit maps. With features Φ (a row per sample) and symmetric A, B over the
// samples,
//   minimum or maximum of  vᵀΦᵀAΦv / vᵀΦᵀBΦv,   or of  vᵀΦᵀAΦv  with orthonormal v.
// Steps: centre, restrict to the row space of Φ by its singular vectors, whiten, solve, drop constant coordinates, fix
// signs, report.
#pragma once

#include <optional>
#include <string_view>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "linalg/row_space.h"
#include "linalg/symmetric_operator.h"

namespace foldout {

enum class Extremum { kSmallest, kLargest };

/// Scaling of the columns v: vᵀΦᵀBΦv = 1 (including a ridge on B), ‖v‖ = 1, or orthonormal columns, for which B is not
/// used.
enum class Scaling { kConstraint, kUnit, kOrthonormal };

struct GraphEmbeddingProblem {
  SymmetricOperator objective;
  SymmetricOperator constraint;
  Extremum extremum = Extremum::kSmallest;
  Scaling scaling = Scaling::kConstraint;
};

struct GraphEmbeddingOptions {
  int n_components = 2;
  bool or_fewer = false;  ///< reduce n_components to the rank of the features if that is lower
  /// Relative to trace/rank, in feature space; on B for a maximum, on A for a minimum, where a ridge on B would reward
  /// directions without variance.
  double ridge = 0;
  bool center = true;
  double rank_tolerance = 1e-10;  ///< singular values of Φ below this fraction of the largest are dropped
  std::string_view method;
};

struct GraphEmbeddingSolution {
  Matrix V;            ///< a column per coordinate
  Vector offset;       ///< mean of the features; empty without centring
  Vector eigenvalues;  ///< of the quotient, in the order of the columns
};

/// Φ minus its mean (unless it is not centred) in a basis of its row space: Φ = U diag(s) Vᵀ + 1 offsetᵀ.
struct FeatureSpace {
  RowSpace basis;
  Vector offset;  ///< empty without centring
};

[[nodiscard]] FeatureSpace feature_space(const Matrix& Phi, const GraphEmbeddingOptions& options, Scaling scaling,
                                         const RunContext& context);

/// The quotient for c = diag(s) Vᵀ v: cᵀAc / cᵀBc.
struct ReducedProblem {
  Matrix A, B;
  Vector s;
  Extremum extremum = Extremum::kSmallest;
};

struct ReducedSolution {
  Vector values;
  Matrix c;            ///< a column per value
  Index singular = 0;  ///< directions in which B vanishes, if all pairs were computed
};

/// The first `wanted` pairs, or all.
[[nodiscard]] ReducedSolution solve_reduced(const ReducedProblem& problem, double ridge, Index wanted,
                                            const RunContext& context);

[[nodiscard]] GraphEmbeddingSolution solve_graph_embedding(const FeatureSpace& features,
                                                           const GraphEmbeddingProblem& problem,
                                                           const GraphEmbeddingOptions& options,
                                                           const RunContext& context, Report& report);

[[nodiscard]] GraphEmbeddingSolution solve_graph_embedding(const Matrix& Phi, const GraphEmbeddingProblem& problem,
                                                           const GraphEmbeddingOptions& options,
                                                           const RunContext& context, Report& report);

}  // namespace foldout
