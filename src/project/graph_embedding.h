// SPDX-License-Identifier: Apache-2.0
// Private: the one engine of the explicit maps. With features Φ (a row per sample) and symmetric A, B over the samples,
//   smallest or largest of  vᵀΦᵀAΦv / vᵀΦᵀBΦv,   or of  vᵀΦᵀAΦv  with orthonormal v.
// It does once for all what each method would have to: centre, restrict to the row space of Φ by its singular vectors,
// whiten, solve, drop coordinates that are constant, fix signs, report.
#pragma once

#include <optional>
#include <string_view>

#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "linalg/symmetric_operator.h"

namespace foldout {

enum class Extremum { kSmallest, kLargest };

/// How the columns v are scaled: vᵀΦᵀBΦv = 1 (with the ridge, where it is on B), or ‖v‖ = 1, or orthonormal, where B is
/// not looked at.
enum class Scaling { kConstraint, kUnit, kOrthonormal };

struct GraphEmbeddingProblem {
  SymmetricOperator objective;
  SymmetricOperator constraint;
  Extremum extremum = Extremum::kSmallest;
  Scaling scaling = Scaling::kConstraint;
};

struct GraphEmbeddingOptions {
  int n_components = 2;
  bool or_fewer = false;  ///< take as many as there are where the features span fewer
  /// Relative to trace/rank, in feature space, and on the side where it belongs: a ridge on B would reward directions
  /// without variance in a minimum, so there it is on A.
  double ridge = 0;
  bool center = true;
  double rank_tolerance = 1e-10;  ///< singular values of Φ below this part of the largest are cut
  std::string_view method;
};

struct GraphEmbeddingSolution {
  Matrix V;            ///< a column per coordinate
  Vector offset;       ///< mean of the features; empty without centring
  Vector eigenvalues;  ///< of the quotient, in the order of the columns
};

[[nodiscard]] GraphEmbeddingSolution solve_graph_embedding(const Matrix& Phi, const GraphEmbeddingProblem& problem,
                                                           const GraphEmbeddingOptions& options,
                                                           const RunContext& context, Report& report);

}  // namespace foldout
