// SPDX-License-Identifier: Apache-2.0
// Neighbourhood preserving polynomial embedding: y_k = v_kᵀ φ_p(x) with all monomials of degree 1 … p (NPPE, Eq. 13) or
// the powers of single features (SNPPE, Eq. 24), the coefficients from
//   ΦᵀMΦ v = λ ΦᵀΦ v,  M = (I − R)ᵀ(I − R)                                         Eqs. (18), (23)
// H. Qiao, P. Zhang, D. Wang, B. Zhang: An Explicit Nonlinear Mapping for Manifold Learning, IEEE Trans. Cybernetics 43
// (2013). Paper's X_p is our Φᵀ; Eq. (23) prints Σ R_ik R_kj where RᵀR is meant. Decisions: features are centred (the
// printed form does not constrain the covariance); monomials instead of Kronecker products; solved by the singular
// vectors of Φ; R is regularised, since Eq. (21) cannot be evaluated for k > n; the ridge is on the cost, because on
// the constraint it would destroy the map. Departure: M may be that of Hessian LLE, LTSA or the Laplacian (with D in
// the constraint), or Isomap's kernel, whose quotient is maximised (with the ridge on the constraint).
#include "foldout/project/nppe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/check.h"
#include "core/random.h"
#include "core/rows.h"
#include "embed/alignment.h"
#include "embed/scaling.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "graph/affinity.h"
#include "graph/geodesics.h"
#include "graph/neighborhoods.h"
#include "graph/reconstruction_weights.h"
#include "linalg/products.h"
#include "maps/feature_map.h"
#include "neighbors/neighbors.h"
#include "project/neighbor_graphs.h"
#include "project/training_features.h"

namespace foldout {
namespace {

template <class Options>
Fields nppe_fields(Options& o) {
  static constexpr Key n_components{"n_components", "coordinates per sample", "m", 1};
  static constexpr Key degree{"degree", "degree of the polynomials", "p", 1, 20};
  static constexpr Key preserve{"preserve", "method whose quadratic form the coordinates minimise (isomap: maximise)"};
  static constexpr Key ridge{"ridge",
                             "ridge on the cost (isomap: on the constraint), relative to trace/rank; auto: by held-out "
                             "samples (isomap: 1e-9)",
                             "", 0};
  return {{n_components, o.n_components}, {degree, o.degree}, {key::n_neighbors, o.n_neighbors},
          {preserve, o.preserve},         {key::reg, o.reg},  {ridge, o.ridge},
          {key::components, o.components}};
}

struct Request {
  std::string_view method;
  NppeOptions options;
  FeatureKind features;
};

// The eigenproblem of the kept samples (empty: all).
struct Problem {
  GraphEmbeddingProblem quotient;
  std::vector<Index> kept;
};

// Takes the contents of M, which Eigen can swap but not move.
Problem problem_with(SparseMatrix& M, std::vector<Index> kept) {
  const Index n = M.rows();
  Problem problem{{{.n = n}, SymmetricOperator::identity(n)}, std::move(kept)};
  problem.quotient.objective.sparse.swap(M);
  return problem;
}

// The cost of a method that works on neighbour lists.
template <class Cost>
Problem from_lists(const MatrixRef& X, const NppeOptions& o, const Cost& cost, const RunContext& context,
                   Report& report) {
  Neighborhoods lists =
      find_neighborhoods(X, {.n_neighbors = o.n_neighbors, .components = o.components}, context, report);
  const KeptSamples kept(X, lists.kept);
  SparseMatrix M = cost(kept.rows(), lists);
  return problem_with(M, std::move(lists.kept));
}

Problem isomap_problem(const MatrixRef& X, const NppeOptions& o, std::string_view method, const RunContext& context,
                       Report& report) {
  const auto n_all = static_cast<double>(X.rows());
  require_memory(3.0 * 8 * n_all * n_all, fmt::format("{}: the geodesics of {} samples", method, X.rows()),
                 "use preserve=lle", context.memory_limit);
  DistanceGraph graph =
      build_distance_graph(X, {.n_neighbors = o.n_neighbors, .components = o.components}, context, report);
  const Index n = graph.lengths.rows();
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  Matrix K = geodesic_distances(graph.lengths, all, context).array().square();
  double_center(K);
  return {{{.n = n, .dense = std::move(K)}, SymmetricOperator::identity(n), Extremum::kLargest}, std::move(graph.kept)};
}

Problem problem_of(const MatrixRef& X, const NppeOptions& o, std::string_view method, const RunContext& context,
                   Report& report) {
  switch (o.preserve) {
    case Preserve::kHlle:
      return from_lists(
          X, o,
          [&](const MatrixRef& kept, const Neighborhoods& lists) {
            return hessian_matrix(kept, lists, o.n_components, context, report);
          },
          context, report);
    case Preserve::kLtsa:
      return from_lists(
          X, o,
          [&](const MatrixRef& kept, const Neighborhoods& lists) {
            return tangent_alignment_matrix(kept, lists, o.n_components, true, context, report);
          },
          context, report);
    case Preserve::kLaplacian: {
      AffinityGraph graph =
          build_affinity_graph(X, {.n_neighbors = o.n_neighbors, .components = o.components}, context, report);
      return {{SymmetricOperator::laplacian(graph.sparse), SymmetricOperator::degrees(graph.sparse)},
              std::move(graph.kept)};
    }
    case Preserve::kIsomap:
      return isomap_problem(X, o, method, context, report);
    case Preserve::kLle:
      break;
  }
  GraphMatrix graph = reconstruction_graph(X, {}, {false, o.n_neighbors, o.reg, o.components}, method, context, report);
  const Index n = graph.matrix.rows();
  Problem problem{{{.n = n}, SymmetricOperator::identity(n)}, std::move(graph.kept)};
  problem.quotient.objective.root.swap(graph.matrix);
  return problem;
}

// Everything except the ridge: features in their row space, and the eigenproblem.
struct Prepared {
  TrainingFeatures features;
  std::vector<Index> kept;  // samples that have features; empty: all
  GraphEmbeddingProblem problem;
  FeatureSpace space;
  Report report;
};

Prepared prepare(const MatrixRef& samples, const Request& request, const RunContext& context) {
  const NppeOptions& o = request.options;
  const FeatureOptions kind{.features = request.features, .degree = o.degree};
  TrainingFeatures features = make_training_features(samples, kind, request.method, context);
  Report report;
  Problem problem = problem_of(samples, o, request.method, context, report);
  features = features_of_kept(std::move(features), samples, problem.kept, kind, request.method, context);
  FeatureSpace space;
  {
    const PhaseTimer timer(report, "row space", context);
    space = feature_space(features.Phi, {}, Scaling::kConstraint, context);
  }
  return {std::move(features), std::move(problem.kept), std::move(problem.quotient), std::move(space),
          std::move(report)};
}

ProjectionFit fit_with(const MatrixRef& samples, const Request& request, Prepared prepared, double ridge,
                       const RunContext& context) {
  const NppeOptions& o = request.options;
  const double scale =
      o.preserve == Preserve::kLaplacian ? 1 : std::sqrt(static_cast<double>(prepared.problem.objective.n));
  const GraphEmbeddingOptions options{.n_components = o.n_components, .ridge = ridge, .method = request.method};
  GraphEmbeddingSolution solution =
      solve_graph_embedding(prepared.space, prepared.problem, options, context, prepared.report);
  return place_training_samples(samples, prepared.features, std::move(solution), options, scale,
                                std::move(prepared.report), context);
}

// Held-out samples are explained by the others, the training samples of the trial. Rows are features in the basis of a
// row space, minus the mean of the training samples.
struct Trial {
  Matrix train, held;
  ReducedProblem problem;
  NeighborTable neighbors;  // of the held-out samples
  Matrix weights;           // by which these reconstruct them
};

// A trial in the row space of all samples, whose basis need not be found again. With few samples for so many features
// the training samples do not span it; their own row space takes its place.
Trial make_trial(const MatrixRef& samples, const Request& request, const Prepared& all, const RunContext& context) {
  constexpr double kSpanned = 1.25;
  const Index n = samples.rows(), n_held = n / 5;
  const std::vector<Index> order = Rng(0).permutation(n);
  const std::vector<Index> held(order.begin(), order.begin() + n_held), train(order.begin() + n_held, order.end());
  const KeptSamples part(samples, train), rest(samples, held);
  Request without = request;  // a part may have gaps that all samples do not have
  if (without.options.components == Components::kError) without.options.components = Components::kConnect;
  Report unused;
  Trial trial;
  const Problem problem = problem_of(part.rows(), without.options, request.method, context, unused);
  const bool spanned = static_cast<double>(train.size()) > kSpanned * static_cast<double>(all.space.basis.s.size());
  if (spanned && all.kept.empty() && problem.kept.empty()) {
    trial.train = rows_of(all.space.basis.U, train);
    trial.held = rows_of(all.space.basis.U, held);
    trial.problem.s = all.space.basis.s;
  } else {
    const FeatureOptions kind{.features = request.features, .degree = request.options.degree};
    const TrainingFeatures features =
        features_of_kept(make_training_features(part.rows(), kind, request.method, context), part.rows(), problem.kept,
                         kind, request.method, context);
    const FeatureSpace space = feature_space(features.Phi, {}, Scaling::kConstraint, context);
    trial.train = space.basis.U;
    trial.held = multiply(features.map->apply(rest.rows()).rowwise() - space.offset.transpose(),
                          space.basis.V * space.basis.s.cwiseInverse().asDiagonal());
    trial.problem.s = space.basis.s;
  }
  const Eigen::RowVectorXd mean = trial.train.colwise().mean();
  trial.train.rowwise() -= mean;
  trial.held.rowwise() -= mean;
  trial.problem.A = problem.quotient.objective.congruence(trial.train, context);
  trial.problem.B = problem.quotient.constraint.congruence(trial.train, context);
  const KeptSamples anchors(part.rows(), problem.kept);
  const Index k = std::min<Index>(request.options.n_neighbors, anchors.rows().rows());
  trial.neighbors = make_neighbor_index(anchors.rows())->query(rest.rows(), k, context);
  trial.weights.resize(n_held, k);
  for (Index i = 0; i < n_held; ++i)
    reconstruction_weights(rest.rows().row(i).data(), anchors.rows(), trial.neighbors.of(i), request.options.reg,
                           {trial.weights.row(i).data(), static_cast<std::size_t>(k)});
  return trial;
}

// ‖y − Σ_j w_j y_j‖² of the held-out samples, relative to the variance.
double held_out_error(const Trial& trial, double ridge, Index n_components, const RunContext& context) {
  const ReducedSolution found = solve_reduced(trial.problem, ridge, n_components, context);
  const Matrix c = found.c.leftCols(std::min(n_components, found.c.cols()));
  const Matrix coordinates = multiply(trial.train, c), placed = multiply(trial.held, c);
  double sum = 0;
  for (Index i = 0; i < placed.rows(); ++i) {
    Eigen::RowVectorXd left = placed.row(i);
    for (Index j = 0; j < trial.neighbors.k; ++j)
      left -= trial.weights(i, j) * coordinates.row(trial.neighbors.of(i)[static_cast<std::size_t>(j)]);
    sum += left.squaredNorm();
  }
  const double variance = coordinates.squaredNorm() / static_cast<double>(coordinates.rows());
  return sum / static_cast<double>(placed.rows()) / std::max(variance, std::numeric_limits<double>::min());
}

// The smallest ridge whose held-out error is at most twice the best: larger ones only smooth the map.
double choose_ridge(const MatrixRef& samples, const Request& request, Prepared& prepared, const RunContext& context) {
  constexpr double kCandidates[] = {0, 1e-8, 1e-6, 1e-4, 1e-2, 1e-1};
  constexpr double kNear = 2;
  const PhaseTimer timer(prepared.report, "choosing the ridge", context);
  const Index n = samples.rows(), n_held = n / 5;
  if (n - n_held - 1 <= request.options.n_neighbors || n_held < 2) return 0;
  std::vector<double> errors;
  try {
    const Trial trial = make_trial(samples, request, prepared, context);
    require_rank(trial.problem.s.size(), request.options.n_components, "features", request.method);
    for (const double ridge : kCandidates)
      errors.push_back(held_out_error(trial, ridge, request.options.n_components, context));
  } catch (const InvalidArgument&) {  // four fifths of the samples are too few for the options
    return 0;
  }
  const double best = *std::ranges::min_element(errors);
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (errors[i] <= kNear * best) {
      prepared.report.figure("held_out_error", errors[i]);
      return kCandidates[i];
    }
  return 0;
}

ProjectionFit fit_any(const MatrixRef& samples, const Request& request, const RunContext& context) {
  require_samples(samples, 2, request.method);
  Prepared prepared = prepare(samples, request, context);
  const bool minimum = request.options.preserve != Preserve::kIsomap;
  const double ridge = request.options.ridge ? *request.options.ridge
                       : minimum             ? choose_ridge(samples, request, prepared, context)
                                             : 1e-9;
  const double n = static_cast<double>(prepared.problem.objective.n);
  ProjectionFit fit = fit_with(samples, request, std::move(prepared), ridge, context);
  fit.report.figure("ridge", ridge);
  if (!minimum) {  // coordinates in geodesic units: y = √λ times a unit vector
    const Vector scale = (fit.eigenvalues.cwiseMax(0) / n).cwiseSqrt();
    fit.map = std::make_shared<ExplicitMap>(fit.map->info(), fit.map->shared_features(),
                                            fit.map->matrix() * scale.asDiagonal(), fit.map->offset());
    fit.coordinates = fit.map->transform(samples, context);
  }
  return fit;
}

}  // namespace

Fields fields(NppeOptions& o) { return nppe_fields(o); }
Fields fields(SnppeOptions& o) { return nppe_fields(o); }

ProjectionFit fit_nppe(const MatrixRef& samples, const NppeOptions& options, const RunContext& context) {
  NppeOptions o = options;
  check_fields(fields(o), "nppe");
  return fit_any(samples, {"nppe", o, FeatureKind::kPolynomial}, context);
}

ProjectionFit fit_snppe(const MatrixRef& samples, const SnppeOptions& options, const RunContext& context) {
  SnppeOptions o = options;
  check_fields(fields(o), "snppe");
  const NppeOptions same{o.n_components, o.degree, o.n_neighbors, o.preserve, o.reg, o.ridge, o.components};
  return fit_any(samples, {"snppe", same, FeatureKind::kHadamard}, context);
}

}  // namespace foldout
