// SPDX-License-Identifier: Apache-2.0
// y = Σ_i W_i y_i / Σ_i W_i over the K nearest, W_i = exp(−‖x − x_i‖²/β): Eq. 9 of B. Raducanu, F. Dornaika: Embedding
// New Observations via Sparse-Coding for Non-linear Manifold Learning (2013), with the weights of M. Carreira-Perpiñán,
// Z. Lu: The Laplacian Eigenmaps Latent Variable Model, JMLR W&P 2 (2007).
#include "foldout/extend/lvm.h"

#include "core/keys.h"
#include "extend/graph_coder.h"
#include "extend/pairs.h"
#include "graph/affinity.h"
#include "graph/graph_rule.h"
#include "linalg/metric_distances.h"

namespace foldout {

Fields fields(LvmOptions& o) {
  static constexpr Key n_neighbors{"n_neighbors", "number of nearest training samples", "K", 1};
  static constexpr Key width{
      "width", "β of the heat kernel exp(−δ²/β), δ in the metric; auto: the mean δ² of all pairs", "β", 0, 1e300, true};
  return {{n_neighbors, o.n_neighbors},
          {width, o.width},
          {key::metric, o.metric, key::kSampleMetrics},
          {key::search, o.search},
          {key::seed, o.seed}};
}

Extension extend_lvm(const MatrixRef& samples, const MatrixRef& coordinates, const LvmOptions& options,
                     const RunContext& context) {
  LvmOptions o = options;
  check_fields(fields(o), "lvm");
  require_pairs(samples, coordinates, "lvm");
  require_neighbors(o.n_neighbors, samples.rows(), "lvm");
  double width = o.width.value_or(0);
  if (!o.width) {
    width = mean_squared_pair_distance(samples, o.metric, context);
    if (!(width > 0)) width = 1;  // all samples coincide
  }
  const GraphRule rule{
      .graph = GraphKind::kKnn, .n_neighbors = o.n_neighbors, .width = width, .search = {o.metric, o.search, o.seed}};
  const bool finds_equal = !by_angle(o.metric) && o.search != NeighborSearch::kApproximate;
  const auto promise = o.n_neighbors == 1 && finds_equal ? TrainingPromise::kExact : TrainingPromise::kApproximate;
  return {std::make_shared<CodedMap>(MapInfo{"lvm", samples.cols(), coordinates.cols(), promise},
                                     make_graph_coder(samples, rule), coordinates),
          {}};
}

}  // namespace foldout
