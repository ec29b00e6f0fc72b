// SPDX-License-Identifier: Apache-2.0
// Classical multidimensional scaling (Torgerson, 1952).
#pragma once

#include <memory>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/embed/embedding.h"
#include "foldout/maps/explicit_map.h"

namespace [[gnu::visibility("default")]] foldout {

struct MdsOptions {
  int n_components = 2;                     ///< d
  Metric metric = Metric::kEuclidean;       ///< the distances to preserve
  EigenSolver solver = EigenSolver::kAuto;  ///< dense or lanczos
  std::uint64_t seed = 0;                   ///< of the eigensolver's start vector
};
[[nodiscard]] Fields fields(MdsOptions& options);

/// eigenvalues: of B = −½ J D² J, largest first.
struct MdsFit : Embedding {
  std::shared_ptr<const ExplicitMap> map;  ///< y(x) = Λ⁻¹ Yᵀ b(x), b_i(x) = −½ (d²(x, x_i) − mean_j d²(x_j, x_i))
};

[[nodiscard]] MdsFit fit_mds(const MatrixRef& samples, const MdsOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
