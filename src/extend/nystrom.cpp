// SPDX-License-Identifier: Apache-2.0
// y_k(x) = (1/μ_k) Σ_i c_i(x) y_ik with the row-normalised kernel row c(x) of the graph's own rule.
// Y. Bengio et al.: Out-of-Sample Extensions for LLE, Isomap, MDS, Eigenmaps, and Spectral Clustering, NIPS 16 (2004);
// Eq. (1) of A. Mendoza Quispe, C. Petitjean, L. Heutte (2016).
// Laplacian Eigenmaps: K(x, x_i) = W(x, x_i)/√(d(x) d(x_i)) of Bengio et al. in the coordinates z = D^(−½) u is
//   z_k(x) = (1/μ_k) Σ_i W(x, x_i) z_ik / Σ_i W(x, x_i),  μ_k = 1 − λ_k.
// On an L1 graph W(x, ·) is |a| of the sparse code of x, and coordinates are divided only by μ_k > 0.2: dividing by
// smaller ones increases the error (measured).
// The row c(x) has errors, which 1/μ_k amplifies; μ_k of graphs without self-loops goes to 0 and below. If the values
// of the neighbours were independent and of unit variance, their mean weighted by c would vary by √Σ c_i²: a μ_k near
// that figure cannot be told from noise. Departure: coordinates with μ_k below 1.5 times its mean are placed by another
// extension.
// Diffusion maps: the same with W(x, x_i) q_i^(−α); the factor q(x)^(−α) of the row cancels.
#include "foldout/extend/nystrom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/keys.h"
#include "core/rows.h"
#include "core/tally.h"
#include "extend/graph_coder.h"
#include "extend/load_map.h"
#include "extend/makers.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/rbf.h"
#include "graph/graph_rule.h"
#include "linalg/products.h"
#include "maps/coded_map.h"
#include "maps/mixed_map.h"

namespace foldout {
namespace {

constexpr double kSmallest = 1e-6;  // dividing by a smaller μ would only amplify rounding errors
constexpr double kNoise = 1.5;      // times the noise of a weighted mean
constexpr double kRidge =
    1e-3;  // of rbf: with its default of 1e-9 coordinates that oscillate overshoot in few dimensions
constexpr Index kLargestRbf = 4000;  // samples: the system of rbf takes n³ operations

// What is needed of a fit: all samples, their coordinates, those in the graph, its eigenvalues and its rule.
struct Eigenfunctions {
  const MatrixRef& samples;
  const Matrix& coordinates;
  const std::vector<Index>& kept;
  Vector mu;
  const GraphRule& rule;
};

// The mean √Σ c_i² over at most 500 samples of the graph.
double noise_of(const Coder& coder) {
  constexpr Index kMost = 500;
  const Matrix& samples = coder.anchors();
  const Index step = (samples.rows() + kMost - 1) / kMost;
  std::vector<Index> picked;
  for (Index i = 0; i < samples.rows(); i += step) picked.push_back(i);
  const Matrix some = rows_of(samples, picked);
  double sum = 0;
  Tally unused;
  for (Index i = 0; i < some.rows(); i += kBlockRows) {
    const SparseMatrix codes = coder.code(some.middleRows(i, std::min(kBlockRows, some.rows() - i)), unused);
    for (Index row = 0; row < codes.rows(); ++row) sum += codes.row(row).norm();
  }
  return sum / static_cast<double>(some.rows());
}

Matrix columns_of(const MatrixRef& Y, const std::vector<std::int64_t>& columns) {
  Matrix some(Y.rows(), std::ssize(columns));
  for (std::size_t k = 0; k < columns.size(); ++k) some.col(static_cast<Index>(k)) = Y.col(columns[k]);
  return some;
}

// Coordinates, each column divided by its μ.
Matrix divided(Matrix Y, const Vector& mu, Report& report) {
  Index undivided = 0;
  for (Index k = 0; k < Y.cols(); ++k) {
    if (std::abs(mu[k]) >= kSmallest)
      Y.col(k) /= mu[k];
    else
      ++undivided;
  }
  if (undivided > 0)
    report.note(
        "nystrom_undivided",
        fmt::format(
            "{} of {} coordinates have an eigenvalue below {:g} and were not divided by it: new samples get the "
            "weighted mean of their neighbours. Reduce n_components",
            undivided, Y.cols(), kSmallest));
  return Y;
}

Extension by_eigenfunctions(const Eigenfunctions& f, std::shared_ptr<const Coder> coder,
                            const std::vector<std::int64_t>& columns) {
  Report report;
  Vector mu(std::ssize(columns));
  for (std::size_t k = 0; k < columns.size(); ++k) mu[static_cast<Index>(k)] = f.mu[columns[k]];
  Matrix Y = divided(columns_of(KeptSamples(f.coordinates, f.kept).rows(), columns), mu, report);
  const bool exact = f.rule.reproduces_rows && !report.has_note("nystrom_undivided");
  const MapInfo info{"nystrom", f.samples.cols(), Y.cols(),
                     exact ? TrainingPromise::kExact : TrainingPromise::kApproximate};
  return {std::make_shared<CodedMap>(info, std::move(coder), std::move(Y)), std::move(report)};
}

Extension by_fallback(const Eigenfunctions& f, NystromFallback fallback, const Matrix& Y, const RunContext& context) {
  const NeighborOptions& search = f.rule.search;
  if (fallback == NystromFallback::kAuto) {
    const bool rbf =
        f.rule.graph == GraphKind::kFull && search.metric == Metric::kEuclidean && f.samples.rows() <= kLargestRbf;
    fallback = rbf ? NystromFallback::kRbf : NystromFallback::kLle;
  }
  if (fallback == NystromFallback::kRbf) return extend_rbf(f.samples, Y, {.ridge = kRidge}, context);
  const auto k = static_cast<int>(std::min<Index>(f.rule.n_neighbors, f.samples.rows()));
  return extend_lle(f.samples, Y,
                    {.n_neighbors = k, .metric = search.metric, .search = search.search, .seed = search.seed}, context);
}

// The μ_k below which the fallback is used.
double least_eigenvalue(const NystromOptions& o, const GraphRule& rule, const Coder& coder) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (o.fallback == NystromFallback::kNone) return -kInfinity;
  if (o.min_eigenvalue) return *o.min_eigenvalue;
  if (o.fallback == NystromFallback::kAuto && rule.reproduces_rows) return -kInfinity;  // the formula interpolates
  return rule.graph == GraphKind::kMutual ? kInfinity : kNoise * noise_of(coder);
}

// Why the fallback places `count` of `total` coordinates.
std::string reason(std::size_t count, Index total, double least, std::string_view fallback) {
  if (std::isinf(least))
    return fmt::format("the mutual neighbours of a new sample are not known, so it is placed by {}", fallback);
  return fmt::format(
      "{} of {} coordinates have an eigenvalue below {:.3g}, by which the formula would amplify its errors: they are "
      "placed by {}",
      count, total, least, fallback);
}

// The fallbacks need samples.
NystromFallback no_fallback(NystromFallback requested) {
  if (requested == NystromFallback::kLle || requested == NystromFallback::kRbf)
    throw InvalidArgument(
        "nystrom: fallback = lle and rbf need samples, but metric=precomputed gives distances: use fallback=none");
  return NystromFallback::kNone;
}

// The formula, and for coordinates with a smaller μ_k the fallback.
Extension graph_map(const Eigenfunctions& f, Vector scale, const NystromOptions& options, const RunContext& context) {
  NystromOptions o = options;
  check_fields(fields(o), "nystrom");
  const Metric metric = f.rule.search.metric;
  if (metric == Metric::kPrecomputed) o.fallback = no_fallback(o.fallback);
  auto coder =
      make_graph_coder(searched_samples(KeptSamples(f.samples, f.kept).rows(), metric), f.rule, std::move(scale));
  const double least = least_eigenvalue(o, f.rule, *coder);
  std::vector<std::int64_t> large, small;
  for (Index k = 0; k < f.mu.size(); ++k) (f.mu[k] >= least ? large : small).push_back(k);
  if (small.empty()) return by_eigenfunctions(f, std::move(coder), large);
  Extension rest = by_fallback(f, o.fallback, columns_of(f.coordinates, small), context);
  rest.report.note("nystrom_fallback", reason(small.size(), f.mu.size(), least, rest.map->info().name));
  if (large.empty()) return rest;
  Extension formula = by_eigenfunctions(f, std::move(coder), large);
  formula.report.absorb(rest.report);
  return {std::make_shared<MixedMap>("nystrom", std::move(formula.map), std::move(rest.map), std::move(small)),
          std::move(formula.report)};
}

// An L1 graph's own rule for a new sample is its sparse code over the samples of the graph.
Map l1_map(const MatrixRef& samples, const auto& fit, const Vector& mu, const Vector& scale) {
  const Matrix Y = corrected_by(mu, KeptSamples(fit.coordinates, fit.kept).rows());
  const MapInfo info{"nystrom", samples.cols(), Y.cols(), TrainingPromise::kApproximate};
  return std::make_shared<CodedMap>(info, make_sparse_coder(KeptSamples(samples, fit.kept).rows(), scale), Y);
}

Extension graph_extension(const MatrixRef& samples, const auto& fit, Vector mu, Vector scale,
                          const NystromOptions& options, const RunContext& context) {
  if (fit.rule->graph != GraphKind::kL1)
    return graph_map({samples, fit.coordinates, fit.kept, std::move(mu), *fit.rule}, std::move(scale), options,
                     context);
  require_default(options, "a graph of sparse codes");
  return {l1_map(samples, fit, mu, scale), {}};
}

}  // namespace

Fields fields(NystromOptions& o) {
  static constexpr Key fallback{
      "fallback",
      "extension of coordinates with a small eigenvalue; auto: rbf on graphs of all pairs of up to 4000 samples, "
      "otherwise lle; none: the formula of the papers for all"};
  static constexpr Key min_eigenvalue{"min_eigenvalue",
                                      "eigenvalue below which the fallback is used; auto: 1.5 √Σ c_i², the noise of a "
                                      "weighted mean (mutual graphs: all)",
                                      "μ_k", -1, 1};
  return {{fallback, o.fallback}, {min_eigenvalue, o.min_eigenvalue}};
}

void require_default(const NystromOptions& options, std::string_view what) {
  if (options.fallback != NystromFallback::kAuto || options.min_eigenvalue)
    throw InvalidArgument(fmt::format(
        "nystrom: fallback and min_eigenvalue are for laplacian_eigenmaps and diffusion_maps on graphs with "
        "weights; {} does not divide by small eigenvalues: remove the keys",
        what));
}

Extension extend_nystrom(const MatrixRef& samples, const LaplacianEigenmapsFit& fit, const NystromOptions& options,
                         const RunContext& context) {
  return graph_extension(samples, fit, 1 - fit.eigenvalues.array(), {}, options, context);
}

Extension extend_nystrom(const MatrixRef& samples, const DiffusionMapsFit& fit, const NystromOptions& options,
                         const RunContext& context) {
  NystromOptions o = options;  // coordinates are weighted by μ_k^t, so the formula does not amplify errors
  if (o.fallback == NystromFallback::kAuto && !o.min_eigenvalue && fit.rule->graph != GraphKind::kMutual &&
      fit.rule->graph != GraphKind::kL1)
    o.fallback = NystromFallback::kNone;
  return graph_extension(samples, fit, fit.eigenvalues, fit.density.array().pow(-fit.alpha), o, context);
}

Extension extend_nystrom(const MatrixRef& samples, const IsomapFit& fit, const RunContext&) {
  return {make_geodesic_map(samples, fit, {}, "nystrom"), {}};
}

Extension extend_nystrom(const MatrixRef& samples, const Embedding& fit, const LleOptions& options, const RunContext&) {
  const LleExtensionOptions o{.n_neighbors = options.n_neighbors,
                              .reg = options.reg,
                              .metric = options.metric,
                              .search = options.search,
                              .seed = options.seed};
  return {make_lle_map(samples, fit.coordinates, o, "nystrom"), {}};
}

}  // namespace foldout
