// SPDX-License-Identifier: Apache-2.0
// Private: codes of LVM and Nyström, the normalised weights of the edges by which a graph's rule joins a sample,
//   c_i(x) = s_i W(x, x_i) / Σ_j s_j W(x, x_j),
// with a factor s_i per anchor (1, or a normalisation of the sampling density).
#pragma once

#include <memory>

#include "core/archive.h"
#include "graph/graph_rule.h"
#include "maps/coded_map.h"

namespace foldout {

/// `scale` empty: all factors are 1. Precomputed distances: `samples` has no rows, and a column for each of them.
[[nodiscard]] std::shared_ptr<const Coder> make_graph_coder(Matrix samples, const GraphRule& rule, Vector scale = {});
[[nodiscard]] std::shared_ptr<const Coder> load_graph_coder(const Archive& archive, Index n_features);

}  // namespace foldout
