// SPDX-License-Identifier: Apache-2.0
#include "project/training_features.h"

#include <fmt/format.h>

#include <set>

#include "core/check.h"
#include "core/rows.h"
#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "graph/affinity.h"
#include "linalg/distance.h"
#include "linalg/eigenpairs.h"
#include "linalg/kernel.h"
#include "linalg/products.h"
#include "maps/feature_map.h"

namespace foldout {
namespace {

constexpr double kKernelRank = 1e-8;  // eigenvalues of a kernel below this fraction of the largest are dropped
constexpr double kRounding = 1e-15;
constexpr double kMostMonomials = 1e6;  // more take minutes even for a dozen samples

TrainingFeatures kernel_space(const MatrixRef& samples, const FeatureOptions& o, const RunContext& context) {
  Kernel kernel{o.kernel, o.width.value_or(mean_squared_pair_distance(samples)), o.degree};
  if (!(kernel.width > 0)) kernel.width = 1;  // all samples coincide
  Matrix K = kernel_matrix(kernel, samples, context);
  const KernelCentering centering(K);
  if (o.center) centering.apply(K);
  const Eigenpairs pairs = all_eigenpairs(K);
  const double largest = pairs.values[K.rows() - 1];
  const auto above = [&](double part) { return static_cast<Index>((pairs.values.array() > part * largest).count()); };
  const Index rank = above(kKernelRank), all = above(kRounding);
  const Matrix E = pairs.vectors;
  const Vector root = pairs.values.cwiseMax(0).cwiseSqrt();
  return {E.rightCols(rank) * root.tail(rank).asDiagonal(),
          o.center ? kernel_features(samples, kernel, centering) : kernel_features(samples, kernel),
          E.rightCols(rank) * root.tail(rank).cwiseInverse().asDiagonal(),
          E.rightCols(all) * root.tail(all).asDiagonal()};
}

void require_feature_memory(const MatrixRef& samples, const FeatureOptions& o, std::string_view method,
                            const RunContext& context) {
  const auto n = static_cast<double>(samples.rows());
  const auto d = static_cast<double>(samples.cols());
  if (o.features == FeatureKind::kKernel)
    require_memory(4 * 8 * n * n, fmt::format("{}: the kernel of {} samples", method, samples.rows()),
                   "use features=linear, or fewer samples", context.memory_limit);
  const double q = o.features == FeatureKind::kPolynomial ? n_monomials(samples.cols(), o.degree) : o.degree * d;
  if (o.features == FeatureKind::kPolynomial || o.features == FeatureKind::kHadamard)
    require_memory(8 * (3 * n * q + std::min(n, q) * q),
                   fmt::format("{}: {:.0f} features of {} samples", method, q, samples.rows()),
                   "lower degree, use snppe or features=hadamard, or the preprocessing step pca", context.memory_limit);
  if (o.features == FeatureKind::kPolynomial && q > kMostMonomials)
    throw InvalidArgument(fmt::format(
        "{}: degree = {} gives {:.0f} monomials of {} features; at most {:.0f} are allowed: lower degree, use snppe or "
        "features=hadamard, or the preprocessing step pca",
        method, o.degree, q, samples.cols(), kMostMonomials));
}

}  // namespace

TrainingFeatures make_training_features(const MatrixRef& samples, const FeatureOptions& o, std::string_view method,
                                        const RunContext& context) {
  require_feature_memory(samples, o, method, context);
  TrainingFeatures features;
  Matrix unit = o.unit_rows ? unit_rows(samples) : Matrix();
  const MatrixRef inputs = o.unit_rows ? MatrixRef(unit) : samples;
  switch (o.features) {
    case FeatureKind::kLinear:
      features.map = identity_features(samples.cols());
      features.Phi = o.unit_rows ? std::move(unit) : Matrix(samples);
      break;
    case FeatureKind::kPolynomial:
      features.map = polynomial_features(samples.cols(), o.degree);
      break;
    case FeatureKind::kHadamard:
      features.map = hadamard_features(samples.cols(), o.degree);
      break;
    case FeatureKind::kKernel:
      features = kernel_space(inputs, o, context);
      break;
  }
  if (features.Phi.size() == 0) features.Phi = features.map->apply(inputs);
  if (o.unit_rows) features.map = on_unit_rows(features.map, features.map->samples() ? Matrix(samples) : Matrix());
  return features;
}

TrainingFeatures features_of_kept(TrainingFeatures all, const MatrixRef& samples, const std::vector<Index>& kept,
                                  const FeatureOptions& options, std::string_view method, const RunContext& context) {
  if (kept.empty()) return all;
  return make_training_features(KeptSamples(samples, kept).rows(), options, method, context);
}

ProjectionFit project(const MatrixRef& samples, const TrainingFeatures& features, const GraphEmbeddingProblem& problem,
                      const GraphEmbeddingOptions& options, double scale, Report report, const RunContext& context) {
  GraphEmbeddingSolution solution = solve_graph_embedding(features.Phi, problem, options, context, report);
  return place_training_samples(samples, features, std::move(solution), options, scale, std::move(report), context);
}

ProjectionFit place_training_samples(const MatrixRef& samples, const TrainingFeatures& features,
                                     GraphEmbeddingSolution solution, const GraphEmbeddingOptions& options,
                                     double scale, Report report, const RunContext& context) {
  ProjectionFit fit;
  fit.eigenvalues = std::move(solution.eigenvalues);
  const bool lifted = features.lift.size() > 0;
  Matrix V = scale * (lifted ? multiply(features.lift, solution.V) : solution.V);
  // A centred kernel has features of mean zero.
  Vector offset = lifted ? Vector() : std::move(solution.offset);
  const MapInfo info{std::string(options.method), samples.cols(), V.cols(), TrainingPromise::kExact};
  fit.map = std::make_shared<ExplicitMap>(info, features.map, std::move(V), std::move(offset));
  {
    const PhaseTimer timer(report, "placing", context);
    fit.coordinates = fit.map->transform(samples, context);
  }
  fit.report = std::move(report);
  return fit;
}

void require_edges(const SparseMatrix& W, std::string_view method) {
  if (W.nonZeros() == 0)
    throw InvalidArgument(fmt::format(
        "{}: no two samples of a class are joined: every class needs more than one sample, or more neighbours",
        method));
}

void require_classes(const std::vector<int>& labels, Index n_samples, std::string_view method) {
  if (labels.empty()) throw MissingLabels(fmt::format("{} needs labels, one per sample", method));
  if (static_cast<Index>(labels.size()) != n_samples)
    throw InvalidArgument(
        fmt::format("{}: {} labels for {} samples: one label per sample is needed", method, labels.size(), n_samples));
  if (std::set(labels.begin(), labels.end()).size() < 2)
    throw InvalidArgument(fmt::format("{}: all samples have the same label: at least two classes are needed", method));
}

}  // namespace foldout
