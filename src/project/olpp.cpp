// SPDX-License-Identifier: Apache-2.0
// Orthogonal locality preserving projections. One-shot: min tr VᵀΦᵀLΦV with VᵀV = I (E. Kokiopoulou, Y. Saad:
// Orthogonal Neighborhood Preserving Projections, IEEE PAMI 29, 2007). Sequential: v_k minimises vᵀΦᵀLΦv / vᵀΦᵀDΦv
// subject to v_k ⊥ v_1 … v_(k−1) (D. Cai, X. He, J. Han, H.-J. Zhang: Orthogonal Laplacianfaces for Face Recognition,
// IEEE TIP 15, 2006), here by solving in the orthogonal complement of the columns found so far.
#include "foldout/project/olpp.h"

#include <optional>

#include "core/check.h"
#include "linalg/products.h"
#include "linalg/svd.h"
#include "project/neighbor_graphs.h"
#include "project/training_features.h"

namespace foldout {

Fields fields(OlppOptions& o) {
  static constexpr Key algorithm{"algorithm", "all columns at once, or one after another; the results differ"};
  static constexpr Key supervised{"supervised", "join samples of a class instead of neighbours"};
  static constexpr Key n_neighbors{"n_neighbors", "neighbours per sample; auto: 10, or all of the class if supervised",
                                   "k", 1};
  static constexpr Key ridge{
      "ridge", "ridge on the cost of algorithm=sequential, in feature space, relative to trace/rank", "", 0};
  return with_feature_keys({{key::n_components, o.n_components},
                            {algorithm, o.algorithm},
                            {supervised, o.supervised},
                            {n_neighbors, o.n_neighbors},
                            {key::graph, o.graph},
                            {key::radius, o.radius},
                            {key::weights, o.weights},
                            {key::components, o.components},
                            {ridge, o.ridge}},
                           o);
}

namespace {

// Merges the report of a column: dropped coordinates add up, the rank is that of the first column, and each note is
// reported once.
void absorb_step(const Report& step, Report& report) {
  const double* dropped = step.find_figure("constant_coordinates_dropped");
  const double* before = report.find_figure("constant_coordinates_dropped");
  if (dropped) report.figure("constant_coordinates_dropped", *dropped + (before ? *before : 0));
  if (const double* rank = step.find_figure("rank"); rank && !report.find_figure("rank")) report.figure("rank", *rank);
  for (const Report::Note& note : step.notes)
    if (!report.has_note(note.code)) report.note(note.code, note.text);
}

ProjectionFit as_map(const MatrixRef& samples, const TrainingFeatures& features, const Matrix& V, const Vector& mean,
                     Report report, const RunContext& context) {
  ProjectionFit fit;
  const bool lifted = features.lift.size() > 0;
  const MapInfo info{"olpp", samples.cols(), V.cols(), TrainingPromise::kExact};
  fit.map = std::make_shared<ExplicitMap>(info, features.map, lifted ? multiply(features.lift, V) : V,
                                          lifted ? Vector() : mean);
  {
    const PhaseTimer timer(report, "placing", context);
    fit.coordinates = fit.map->transform(samples, context);
  }
  fit.report = std::move(report);
  return fit;
}

ProjectionFit sequential_olpp(const MatrixRef& samples, const TrainingFeatures& features,
                              const GraphEmbeddingProblem& problem, const OlppOptions& o, Report report,
                              const RunContext& context) {
  const Vector mean = features.Phi.colwise().mean();
  const Matrix centered = features.Phi.rowwise() - mean.transpose();
  const Svd svd = thin_svd(centered);
  Matrix basis = svd.V.leftCols(svd.rank(1e-10, centering_error(features.Phi)));  // of the remaining directions
  require_rank(basis.cols(), o.n_components, "features", "olpp");
  Matrix V(features.Phi.cols(), o.n_components);
  Vector eigenvalues(o.n_components);
  std::optional<PhaseTimer> timer(std::in_place, report, "eigenvectors");
  for (int k = 0; k < o.n_components; ++k) {
    context.tick("eigenvectors", static_cast<double>(k) / o.n_components);
    Report step;
    const GraphEmbeddingSolution next =
        solve_graph_embedding(multiply(centered, basis), problem,
                              {.n_components = 1, .ridge = o.ridge, .center = false, .method = "olpp"}, {}, step);
    absorb_step(step, report);
    Vector v = basis * next.V.col(0);
    v.normalize();
    V.col(k) = v;
    eigenvalues[k] = next.eigenvalues[0];
    // The orthogonal complement of v in the span of the basis.
    const Matrix left = basis - v * (v.transpose() * basis);
    basis = thin_svd(left).U.leftCols(basis.cols() - 1);
  }
  timer.reset();
  ProjectionFit fit = as_map(samples, features, V, mean, std::move(report), context);
  fit.eigenvalues = eigenvalues;
  return fit;
}

}  // namespace

ProjectionFit fit_olpp(const MatrixRef& samples, const std::vector<int>& labels, const OlppOptions& options,
                       const RunContext& context) {
  OlppOptions o = options;
  check_fields(fields(o), "olpp");
  require_samples(samples, 2, "olpp");
  Report report;
  TrainingFeatures features = make_training_features(samples, feature_options(o), "olpp", context);
  const MatrixRef points = features.points(samples, o.graph_space);
  const LocalityOptions graph{o.supervised, o.n_neighbors, o.graph, o.weights, o.width, o.radius, o.components};
  const auto [W, kept] = locality_graph(points, labels, graph, "olpp", context, report);
  features = features_of_kept(std::move(features), samples, kept, feature_options(o), "olpp", context);
  GraphEmbeddingProblem problem{SymmetricOperator::laplacian(W), SymmetricOperator::degrees(W)};
  if (o.algorithm == OlppAlgorithm::kSequential)
    return sequential_olpp(samples, features, problem, o, std::move(report), context);
  problem.scaling = Scaling::kOrthonormal;
  return project(samples, features, problem, {.n_components = o.n_components, .method = "olpp"}, 1, std::move(report),
                 context);
}

}  // namespace foldout
