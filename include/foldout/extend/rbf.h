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
  std::optional<int> n_centers = {};  ///< spread-out training samples used as centres; auto: all training samples
  std::optional<double> width = {};   ///< β; auto: mean squared distance of all pairs
  double ridge = 1e-9;                ///< relative to trace/rank; stabilises the system if samples nearly coincide
  bool intercept = true;   ///< fit the deviations from the mean, where samples far from all centres are placed
  std::uint64_t seed = 0;  ///< of the choice of centres
};
[[nodiscard]] Fields fields(RbfOptions& options);

/// Exact on training samples if every sample is a centre, the ridge is 0 and the system is not so ill-conditioned that
/// its solution misses the coordinates; otherwise approximate. Duplicates share a centre and get the mean of their
/// coordinates, which is not exact if these differ.
[[nodiscard]] Extension extend_rbf(const MatrixRef& samples, const MatrixRef& coordinates,
                                   const RbfOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
