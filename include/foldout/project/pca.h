// SPDX-License-Identifier: Apache-2.0
// Principal component analysis (Pearson, 1901).
#pragma once

#include <cstdint>
#include <memory>

#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/embed/embedding.h"
#include "foldout/maps/explicit_map.h"

namespace foldout {

struct PcaOptions {
  int n_components = 2;  ///< d, at most the rank of the centred samples
};
[[nodiscard]] Fields fields(PcaOptions& options);

/// eigenvalues: the variances (divisor n) of the coordinates, largest first.
struct PcaFit : Embedding {
  std::shared_ptr<const ExplicitMap> map;  ///< y = Vᵀ(x − mean)
};

[[nodiscard]] PcaFit fit_pca(const MatrixRef& samples, const PcaOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
