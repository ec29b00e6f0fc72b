// SPDX-License-Identifier: Apache-2.0
// Classical multidimensional scaling: coordinates whose inner products best approximate B = −½ J D² J,
//   Y = V Λ^(½) with the largest eigenpairs of B.
// W. Torgerson: Multidimensional scaling I, Psychometrika 17 (1952). With Euclidean distances B = X_c X_cᵀ, and the
// singular vectors of the centred samples give Y without the n×n matrix.
#include "foldout/embed/mds.h"

#include <fmt/format.h>

#include "core/check.h"
#include "core/keys.h"
#include "embed/fit_samples.h"
#include "embed/scaling.h"
#include "embed/spectral.h"
#include "linalg/eigenpairs.h"
#include "linalg/metric_distances.h"
#include "linalg/products.h"
#include "linalg/svd.h"
#include "maps/feature_map.h"

namespace foldout {

Fields fields(MdsOptions& o) {
  return {{key::n_components, o.n_components},
          {key::metric_or_distances, o.metric},
          {key::solver, o.solver},
          {key::seed, o.seed}};
}

Vector double_center(Matrix& D2) {
  Vector means = D2.rowwise().mean();
  const double mean = means.mean();
  for (Index i = 0; i < D2.rows(); ++i) {
    D2.row(i) -= means.transpose();
    D2.row(i).array() += mean - means[i];
  }
  D2 *= -0.5;
  return means;
}

namespace {

constexpr double kRank = 1e-10;  // eigenvalues below this fraction of the largest are rounding errors

Index rank_of(const Vector& eigenvalues) {
  Index rank = 0;
  while (rank < eigenvalues.size() && eigenvalues[rank] > kRank * eigenvalues[0] && eigenvalues[rank] > 0) ++rank;
  return rank;
}

// With Euclidean distances Λ⁻¹ Yᵀ b(x) = Λ⁻¹ Yᵀ X_c (x − mean).
std::shared_ptr<const ExplicitMap> linear_map(const MatrixRef& samples, const Embedding& fit) {
  const Eigen::RowVectorXd mean = samples.colwise().mean();
  const Matrix V = transposed_multiply(samples.rowwise() - mean, fit.coordinates);
  const MapInfo info{"nystrom", samples.cols(), fit.coordinates.cols(), TrainingPromise::kExact};
  return std::make_shared<ExplicitMap>(info, identity_features(samples.cols()),
                                       V * fit.eigenvalues.cwiseInverse().asDiagonal(), mean.transpose());
}

std::shared_ptr<const ExplicitMap> distance_map(const MatrixRef& samples, Metric metric, const Embedding& fit,
                                                const Vector& means) {
  const Matrix V = -0.5 * fit.coordinates * fit.eigenvalues.cwiseInverse().asDiagonal();
  const MapInfo info{"nystrom", samples.cols(), fit.coordinates.cols(), TrainingPromise::kExact};
  return std::make_shared<ExplicitMap>(info, squared_distance_features(samples, metric), V, means);
}

MdsFit by_singular_vectors(const MatrixRef& samples, const MdsOptions& o, const RunContext& context) {
  MdsFit fit;
  const PhaseTimer timer(fit.report, "singular vectors", context);
  const Matrix centered = samples.rowwise() - samples.colwise().mean();
  const Svd svd = thin_svd(centered);
  context.tick("singular vectors", 1);
  const Index d = std::min<Index>(o.n_components, svd.s.size());
  fit.eigenvalues = svd.s.head(d).array().square();
  require_rank(std::min(rank_of(fit.eigenvalues), svd.rank(0, centering_error(samples))), o.n_components, "samples",
               "mds");
  ColMatrix Y = svd.U.leftCols(d) * svd.s.head(d).asDiagonal();
  fix_signs(Y);
  fit.coordinates = Y;
  fit.map = linear_map(samples, fit);
  fit.report.fact("solver", "svd");
  return fit;
}

}  // namespace

Embedding scaled_eigenvectors(const MatrixRef& B, int n_components, EigenSolver solver, std::uint64_t seed,
                              std::string_view method, const RunContext& context) {
  require_components(n_components, B.rows(), method);
  Embedding fit;
  const PhaseTimer timer(fit.report, "eigenvectors", context);
  const Eigenpairs pairs = largest_eigenpairs(B, {.n_pairs = n_components, .solver = solver, .seed = seed}, context);
  require_rank(rank_of(pairs.values), n_components, "samples", method);
  report_eigenpairs(pairs, fit.report);
  fit.eigenvalues = pairs.values;
  fit.coordinates = pairs.vectors * pairs.values.cwiseSqrt().asDiagonal();
  return fit;
}

MdsFit fit_mds(const MatrixRef& given, const MdsOptions& options, const RunContext& context) {
  MdsOptions o = options;
  check_fields(fields(o), "mds");
  const FitSamples checked(given, o.metric, "mds");
  const MatrixRef& samples = checked.rows();
  require_components(o.n_components, samples.rows(), "mds");
  if (o.metric == Metric::kEuclidean && o.solver == EigenSolver::kAuto) return by_singular_vectors(samples, o, context);

  const Index n = samples.rows();
  require_memory(2.0 * 8 * static_cast<double>(n) * static_cast<double>(n),
                 fmt::format("mds of {} samples with this metric or solver", n), "use metric=euclidean, solver=auto",
                 context.memory_limit);
  Report report;
  Matrix B;
  Vector means;
  {
    const PhaseTimer timer(report, "distances", context);
    B = squared_pair_distances(samples, o.metric, context);
    means = double_center(B);
  }
  MdsFit fit{scaled_eigenvectors(B, o.n_components, o.solver, o.seed, "mds", context), nullptr};
  report.absorb(fit.report);
  fit.report = std::move(report);
  fit.map = o.metric == Metric::kEuclidean ? linear_map(samples, fit) : distance_map(samples, o.metric, fit, means);
  return fit;
}

}  // namespace foldout
