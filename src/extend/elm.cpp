// SPDX-License-Identifier: Apache-2.0
// f(x) = Σ_l β_l G(a_l, b_l, x), Eqs. (3) and (4) of A. Mendoza Quispe, C. Petitjean, L. Heutte: Extreme learning
// machine for out-of-sample extension in Laplacian eigenmaps, Pattern Recognition Letters 74 (2016); a_l, b_l random, β
// by ridge regression on standardised coordinates. Not specified in the paper: samples are centred and divided by their
// root mean square length; a ~ √3·U(−1,1)·input_scale, so that aᵀx of a sample of that length has variance
// input_scale²; b ~ U(−1,1). Radial nodes are centred on training samples drawn at random; b is then a random
// precision.
#include "foldout/extend/elm.h"

#include <fmt/format.h>

#include <cmath>

#include "core/check.h"
#include "core/keys.h"
#include "core/random.h"
#include "extend/makers.h"
#include "extend/pairs.h"
#include "foldout/core/choices.h"
#include "foldout/maps/explicit_map.h"
#include "linalg/least_squares.h"
#include "maps/feature_map.h"

namespace foldout {

Fields fields(ElmOptions& o) {
  static constexpr Key n_nodes{"n_nodes", "number of random nodes in the hidden layer", "L", 1, 1e6};
  static constexpr Key activation{"activation", "activation function of the nodes", "G"};
  static constexpr Key direct_links{"direct_links",
                                    "connect the input to the output directly as well: an RVFL network"};
  static constexpr Key input_scale{"input_scale", "size of the random input weights", "", 0, 1e6, true};
  return {{n_nodes, o.n_nodes},         {activation, o.activation}, {direct_links, o.direct_links},
          {input_scale, o.input_scale}, {key::ridge, o.ridge},      {key::seed, o.seed}};
}

namespace {

RandomNodes draw_nodes(const MatrixRef& samples, const ElmOptions& o) {
  RandomNodes nodes{.activation = o.activation,
                    .A = {},
                    .b = {},
                    .center = samples.colwise().mean(),
                    .scale = 1,
                    .direct_links = o.direct_links};
  const Matrix centered = samples.rowwise() - nodes.center.transpose();
  const double rms = std::sqrt(centered.squaredNorm() / static_cast<double>(samples.rows()));
  if (rms > 0) nodes.scale = rms;
  Rng rng(o.seed);
  if (o.activation == Activation::kRbf) {
    nodes.A = Matrix(o.n_nodes, samples.cols());
    for (Index l = 0; l < nodes.A.rows(); ++l)
      nodes.A.row(l) =
          centered.row(static_cast<Index>(rng.below(static_cast<std::uint64_t>(samples.rows())))) / nodes.scale;
    nodes.b = o.input_scale * (0.25 + 0.75 * rng.uniform_matrix(o.n_nodes, 1).array());
  } else {
    nodes.A = std::sqrt(3.0) * o.input_scale * (2 * rng.uniform_matrix(o.n_nodes, samples.cols()).array() - 1);
    nodes.b = 2 * rng.uniform_matrix(o.n_nodes, 1).array() - 1;
  }
  return nodes;
}

}  // namespace

Extension train_output_layer(const MatrixRef& samples, const MatrixRef& coordinates, RandomNodes nodes,
                             std::optional<double> ridge) {
  const Features features = random_node_features(std::move(nodes));
  const Vector mean = coordinates.colwise().mean();
  Matrix targets = coordinates.rowwise() - mean.transpose();
  Vector spread = (targets.colwise().squaredNorm() / static_cast<double>(targets.rows())).cwiseSqrt();
  spread = spread.unaryExpr([](double s) { return s > 0 ? s : 1.0; });
  targets = targets * spread.cwiseInverse().asDiagonal();
  RidgeFit fit = ridge_regression(features->apply(samples), targets, ridge);
  Report report;
  report.figure("extension_ridge", fit.ridge);
  report.figure("extension_leave_one_out", fit.leave_one_out);
  const MapInfo info{"elm", samples.cols(), coordinates.cols(), TrainingPromise::kApproximate};
  return {std::make_shared<ExplicitMap>(info, features, fit.V * spread.asDiagonal(), Vector(), mean),
          std::move(report)};
}

Extension extend_elm(const MatrixRef& samples, const MatrixRef& coordinates, const ElmOptions& options,
                     const RunContext& context) {
  ElmOptions o = options;
  check_fields(fields(o), "elm");
  require_pairs(samples, coordinates, "elm");
  const double width = o.n_nodes + (o.direct_links ? static_cast<double>(samples.cols()) : 0.0);
  require_memory(8 * (2.0 * static_cast<double>(samples.rows()) * width + 3 * width * width),
                 fmt::format("elm with {} nodes for {} samples", o.n_nodes, samples.rows()), "lower n_nodes",
                 context.memory_limit);
  return train_output_layer(samples, coordinates, draw_nodes(samples, o), o.ridge);
}

}  // namespace foldout
