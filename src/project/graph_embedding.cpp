// SPDX-License-Identifier: Apache-2.0
// Φ = U S Qᵀ of rank r. With c = S Qᵀ v the quotient is cᵀ(UᵀAU)c / cᵀ(UᵀBU)c, and ‖v‖² = cᵀS⁻²c; a ridge ε‖v‖² is
// therefore ε S⁻². Orthonormal v: v = Q w with wᵀw = 1, and the objective is wᵀ(S UᵀAU S)w; this alone needs singular
// vectors, the quotient any basis.
#include "project/graph_embedding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.h"
#include "foldout/core/error.h"
#include "linalg/dense_pencil.h"
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

// Of the coordinates Φ v = U c + offsetᵀv.
bool is_constant(const Vector& centered, double offset) {
  const double size = std::max(std::abs(centered.maxCoeff() + offset), std::abs(centered.minCoeff() + offset));
  return (centered.array() - centered.mean()).abs().maxCoeff() <= kConstant * size;
}

// vᵀΦᵀAΦv with orthonormal v: all r of them.
ReducedSolution solve_orthonormal(Matrix A, const Vector& s, Extremum extremum) {
  A = s.asDiagonal() * A * s.asDiagonal();
  const Eigenpairs pairs = solve(symmetric(A), extremum);
  return {pairs.values, s.asDiagonal() * pairs.vectors, 0};
}

// The positions of the first d coordinates that are not constant; fewer if there are not so many.
struct Chosen {
  std::vector<Index> kept;
  Index constant = 0;
};
Chosen choose(const FeatureSpace& features, const ReducedSolution& found, const Matrix& V, Index d) {
  Chosen chosen;
  for (Index k = 0; k < V.cols() && std::ssize(chosen.kept) < d; ++k) {
    const double offset = features.offset.size() > 0 ? features.offset.dot(V.col(k)) : 0;
    if (is_constant(features.basis.U * found.c.col(k), offset))
      ++chosen.constant;
    else
      chosen.kept.push_back(k);
  }
  return chosen;
}

}  // namespace

FeatureSpace feature_space(const Matrix& Phi, const GraphEmbeddingOptions& options, Scaling scaling,
                           const RunContext& context) {
  FeatureSpace features;
  if (options.center) features.offset = Phi.colwise().mean();
  const Matrix centered = options.center ? Matrix(Phi.rowwise() - features.offset.transpose()) : Matrix();
  const Matrix& X = options.center ? centered : Phi;
  const double least = options.center ? centering_error(Phi) : 0;
  if (scaling != Scaling::kOrthonormal) {
    features.basis = row_space(X, options.rank_tolerance, least, context);
    return features;
  }
  const Svd svd = thin_svd(X);
  const Index r = svd.rank(options.rank_tolerance, least);
  features.basis = {svd.U.leftCols(r), svd.s.head(r), svd.V.leftCols(r)};
  return features;
}

ReducedSolution solve_reduced(const ReducedProblem& problem, double ridge, Index wanted, const RunContext& context) {
  Matrix A = problem.A, B = problem.B;
  Matrix& penalised = problem.extremum == Extremum::kSmallest ? A : B;
  const Vector t = problem.s / problem.s[0];  // their squares neither vanish nor overflow, and the ridge is relative
  penalised.diagonal().array() += ridge * mean_eigenvalue(penalised, t) * t.array().square().inverse();
  if (problem.extremum == Extremum::kSmallest && wanted < A.rows())
    if (const auto found = smallest_of_pencil(A, B, wanted, context)) return {found->values, found->vectors, 0};
  const Whitened white = whiten(B);
  const Eigenpairs pairs = solve(symmetric(white.to_c.transpose() * A * white.to_c), problem.extremum);
  return {pairs.values, white.to_c * pairs.vectors, white.singular};
}

GraphEmbeddingSolution solve_graph_embedding(const FeatureSpace& features, const GraphEmbeddingProblem& problem,
                                             const GraphEmbeddingOptions& options, const RunContext& context,
                                             Report& report) {
  const PhaseTimer timer(report, "eigenvectors", context);
  const RowSpace& basis = features.basis;
  const Index r = basis.s.size(), n = basis.U.rows();
  report.figure("rank", static_cast<double>(r));
  const int d = options.or_fewer ? static_cast<int>(std::min<Index>(options.n_components, r)) : options.n_components;
  require_rank(r, std::max(d, 1), "features", options.method);
  const bool orthonormal = problem.scaling == Scaling::kOrthonormal;
  ReducedProblem reduced{problem.objective.congruence(basis.U, context), Matrix(), basis.s, problem.extremum};
  if (!orthonormal) reduced.B = problem.constraint.congruence(basis.U, context);
  ReducedSolution found;
  Matrix V;
  Chosen chosen;
  for (const Index wanted : {Index{d}, r}) {  // all, if some of the first are constant
    found = orthonormal ? solve_orthonormal(reduced.A, basis.s, problem.extremum)
                        : solve_reduced(reduced, options.ridge, wanted, context);
    V = multiply(basis.V, basis.s.cwiseInverse().asDiagonal() * found.c);
    chosen = choose(features, found, V, d);
    if (std::ssize(chosen.kept) == d || V.cols() == r) break;
  }
  if (found.singular > 0 && problem.extremum == Extremum::kLargest)
    report.note("constraint_singular",
                fmt::format("{}: the constraint vanishes in {} of {} directions, which come first: a ridge orders "
                            "them",
                            options.method, found.singular, r));
  if (chosen.constant > 0) {
    report.figure("constant_coordinates_dropped", static_cast<double>(chosen.constant));
    if (chosen.kept.empty())
      throw InvalidArgument(
          fmt::format("{}: all coordinates are constant (n_samples = {}, n_features = {}): the samples do not "
                      "differ in anything that the method uses, so choose another method or add features",
                      options.method, n, basis.V.rows()));
    if (std::ssize(chosen.kept) < d)
      throw InvalidArgument(fmt::format("{}: only {} coordinates are not constant: n_components must be at most {}",
                                        options.method, chosen.kept.size(), chosen.kept.size()));
  }
  GraphEmbeddingSolution solution;
  solution.offset = features.offset;
  ColMatrix columns(V.rows(), d);
  solution.eigenvalues.resize(d);
  for (Index k = 0; k < d; ++k) {
    const Index from = chosen.kept[static_cast<std::size_t>(k)];
    columns.col(k) = V.col(from);
    solution.eigenvalues[k] = found.values[from];
    if (problem.scaling == Scaling::kUnit) columns.col(k).normalize();
  }
  fix_signs(columns);
  solution.V = columns;
  return solution;
}

GraphEmbeddingSolution solve_graph_embedding(const Matrix& Phi, const GraphEmbeddingProblem& problem,
                                             const GraphEmbeddingOptions& options, const RunContext& context,
                                             Report& report) {
  FeatureSpace features;
  {
    const PhaseTimer timer(report, "row space", context);
    features = feature_space(Phi, options, problem.scaling, context);
  }
  return solve_graph_embedding(features, problem, options, context, report);
}

}  // namespace foldout
