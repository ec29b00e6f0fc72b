// SPDX-License-Identifier: Apache-2.0
// Interpolation by Gaussian radial basis functions: y = mean + Σ_j v_j exp(−‖x − c_j‖²/β). Works for any coordinates.
#pragma once

#include <cstdint>
#include <optional>

#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/types.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct RbfOptions {
  std::optional<int> n_centers = {};  ///< training samples that are centres, spread out; auto: all of them
  std::optional<double> width = {};   ///< β; auto: mean squared distance of all pairs
  double ridge = 1e-9;                ///< relative to trace/rank; keeps near duplicates apart
  bool intercept = true;              ///< the mean of the coordinates, to which new samples far from all centres go
  std::uint64_t seed = 0;             ///< of the choice of centres
};
[[nodiscard]] Fields fields(RbfOptions& options);

/// Exact on training samples where every sample is a centre, the ridge is 0 and the system of the centres is not so
/// ill-conditioned that its solution misses the coordinates; else approximate. Repeated samples share a centre and get
/// the mean of their coordinates: not exact where these differ.
[[nodiscard]] Extension extend_rbf(const MatrixRef& samples, const MatrixRef& coordinates,
                                   const RbfOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
