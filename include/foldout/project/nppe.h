// SPDX-License-Identifier: Apache-2.0
// Neighbourhood preserving polynomial embedding (Qiao, Zhang, Wang and Zhang, 2013): a polynomial of the sample that
// minimises the cost of LLE, Hessian LLE, LTSA or Laplacian Eigenmaps, or maximises that of Isomap. NPPE uses all
// monomials, SNPPE powers of single features.
#pragma once

#include <array>
#include <optional>

#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/project/projection.h"

namespace [[gnu::visibility("default")]] foldout {

/// The matrix whose quadratic form the coordinates minimise (isomap: maximise).
enum class Preserve { kLle, kHlle, kLtsa, kLaplacian, kIsomap };
template <>
inline constexpr auto kNames<Preserve> = std::array<std::string_view, 5>{"lle", "hlle", "ltsa", "laplacian", "isomap"};

struct NppeOptions {
  int n_components = 2;                ///< m
  int degree = 2;                      ///< p
  int n_neighbors = 10;                ///< k
  Preserve preserve = Preserve::kLle;  ///< method whose cost is used
  double reg = 1e-3;                   ///< of the local Gram matrix of LLE weights, relative to its trace
  /// On the cost (isomap: on the constraint), relative to trace/rank; auto: by held-out samples (isomap: 1e-9).
  std::optional<double> ridge = {};
  Components components = Components::kConnect;  ///< treatment of disconnected graphs
};
[[nodiscard]] Fields fields(NppeOptions& options);

/// The same keys; the features differ.
struct SnppeOptions {
  int n_components = 2;
  int degree = 2;
  int n_neighbors = 10;
  Preserve preserve = Preserve::kLle;
  double reg = 1e-3;
  std::optional<double> ridge = {};
  Components components = Components::kConnect;
};
[[nodiscard]] Fields fields(SnppeOptions& options);

/// Coordinates have mean 0 and covariance I (isomap: geodesic units). eigenvalues: of the cost, smallest first (isomap:
/// largest first).
[[nodiscard]] ProjectionFit fit_nppe(const MatrixRef& samples, const NppeOptions& options = {},
                                     const RunContext& context = {});
[[nodiscard]] ProjectionFit fit_snppe(const MatrixRef& samples, const SnppeOptions& options = {},
                                      const RunContext& context = {});

}  // namespace foldout
