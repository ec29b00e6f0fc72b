// SPDX-License-Identifier: Apache-2.0
// Φ = U S Qᵀ of rank r. With c = S Qᵀ v the quotient is cᵀ(UᵀAU)c / cᵀ(UᵀBU)c, and ‖v‖² = cᵀS⁻²c; a ridge ε‖v‖² is
// therefore ε S⁻². Orthonormal v: v = Q w with wᵀw = 1, and the objective is wᵀ(S UᵀAU S)w.
#include "project/graph_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.h"
#include "foldout/core/error.h"
#include "linalg/eigenpairs.h"
#include "linalg/products.h"
#include "linalg/svd.h"

namespace foldout {
namespace {

constexpr double kSingular = 1e-12;  // of the constraint, relative to its largest eigenvalue
constexpr double kConstant = 1e-7;   // spread of a coordinate relative to its size

// trace(Φᵀ M Φ)/r in the basis of the singular vectors.
double mean_eigenvalue(const Matrix& M, const Vector& s) {
  return (M.diagonal().array() * s.array().square()).sum() / static_cast<double>(s.size());
}

struct Whitened {
  Matrix to_c;     // c = to_c z, with zᵀz = cᵀBc
  Index singular;  // directions in which B vanishes
};

// B^(−½), with vanishing eigenvalues raised to the rounding level: these directions come first in a maximum, last in a
// minimum.
Whitened whiten(const Matrix& B) {
  const Eigenpairs pairs = all_eigenpairs(B);
  const double largest = std::max(pairs.values.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  const Vector lifted = pairs.values.cwiseMax(kSingular * largest);
  return {pairs.vectors * lifted.cwiseSqrt().cwiseInverse().asDiagonal(),
          static_cast<Index>((pairs.values.array() < kSingular * largest).count())};
}

Eigenpairs solve(const Matrix& M, Extremum extremum) {
  Eigenpairs pairs = all_eigenpairs(M);
  if (extremum == Extremum::kLargest) {
    pairs.values = pairs.values.reverse().eval();
    pairs.vectors = pairs.vectors.rowwise().reverse().eval();
  }
  return pairs;
}

Matrix symmetric(const Matrix& M) { return (M + M.transpose()) / 2; }

bool is_constant(const Vector& y) {
  const double mean = y.mean(), size = y.cwiseAbs().maxCoeff();
  return (y.array() - mean).abs().maxCoeff() <= kConstant * size;
}

}  // namespace

GraphEmbeddingSolution solve_graph_embedding(const Matrix& Phi, const GraphEmbeddingProblem& problem,
                                             const GraphEmbeddingOptions& options, const RunContext& context,
                                             Report& report) {
  const PhaseTimer timer(report, "eigenvectors", context);
  GraphEmbeddingSolution solution;
  if (options.center) solution.offset = Phi.colwise().mean();
  const Svd svd = options.center ? thin_svd(Phi.rowwise() - solution.offset.transpose()) : thin_svd(Phi);
  const Index r = svd.rank(options.rank_tolerance, options.center ? centering_error(Phi) : 0);
  report.figure("rank", static_cast<double>(r));
  const int d = options.or_fewer ? static_cast<int>(std::min<Index>(options.n_components, r)) : options.n_components;
  require_rank(r, std::max(d, 1), "features", options.method);
  const Matrix U = svd.U.leftCols(r), Q = svd.V.leftCols(r);
  const Vector s = svd.s.head(r);
  Matrix A = problem.objective.congruence(U);
  const bool orthonormal = problem.scaling == Scaling::kOrthonormal;
  Matrix V;  // in feature space, all r of them
  Eigenpairs pairs;
  if (orthonormal) {
    A = s.asDiagonal() * A * s.asDiagonal();
    pairs = solve(symmetric(A), problem.extremum);
    V = multiply(Q, Matrix(pairs.vectors));
  } else {
    Matrix B = problem.constraint.congruence(U);
    Matrix& penalised = problem.extremum == Extremum::kSmallest ? A : B;
    const Vector t = s / s[0];  // their squares neither vanish nor overflow, and the ridge is relative
    const double ridge = options.ridge * mean_eigenvalue(penalised, t);
    penalised.diagonal().array() += ridge * t.array().square().inverse();
    const Whitened white = whiten(B);
    if (white.singular > 0 && problem.extremum == Extremum::kLargest)
      report.note("constraint_singular",
                  fmt::format("{}: the constraint vanishes in {} of {} directions, which come first: a ridge orders "
                              "them",
                              options.method, white.singular, r));
    pairs = solve(symmetric(white.to_c.transpose() * A * white.to_c), problem.extremum);
    V = multiply(Q, s.cwiseInverse().asDiagonal() * (white.to_c * pairs.vectors));
  }
  // Coordinates in order, without constant ones.
  std::vector<Index> kept;
  Index constant = 0;
  for (Index k = 0; k < r && static_cast<Index>(kept.size()) < d; ++k) {
    const Vector y = Phi * V.col(k);
    if (is_constant(y))
      ++constant;
    else
      kept.push_back(k);
  }
  if (constant > 0) {
    report.figure("constant_coordinates_dropped", static_cast<double>(constant));
    if (kept.empty())
      throw InvalidArgument(
          fmt::format("{}: all coordinates are constant (n_samples = {}, n_features = {}): the samples do not "
                      "differ in anything that the method uses, so choose another method or add features",
                      options.method, Phi.rows(), Phi.cols()));
    if (static_cast<int>(kept.size()) < d)
      throw InvalidArgument(fmt::format("{}: only {} coordinates are not constant: n_components must be at most {}",
                                        options.method, kept.size(), kept.size()));
  }
  ColMatrix columns(V.rows(), d);
  solution.eigenvalues.resize(d);
  for (Index k = 0; k < d; ++k) {
    const Index from = kept[static_cast<std::size_t>(k)];
    columns.col(k) = V.col(from);
    solution.eigenvalues[k] = pairs.values[from];
    if (problem.scaling == Scaling::kUnit) columns.col(k).normalize();
  }
  fix_signs(columns);
  solution.V = columns;
  return solution;
}

}  // namespace foldout
