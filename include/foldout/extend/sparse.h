// SPDX-License-Identifier: Apache-2.0
// Placement by sparse representation: a new sample is reconstructed from few training samples plus a sparse error, and
// placed at the mean of their coordinates, weighted by the magnitude of their coefficients. No neighbourhood size, no
// kernel width. Works for any coordinates.
//
//   auto fit = fit_laplacian_eigenmaps(X, {.n_components = 2});
//   auto place = extend_sparse(X, fit.coordinates);
//   Matrix y = place->transform(x_new);
#pragma once

#include <string>
#include <string_view>

#include "foldout/core/context.h"
#include "foldout/core/fields.h"
#include "foldout/core/types.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

struct SparseOptions {
  /// A_e, the basis in which errors are sparse: "identity" (single features), "dct", "haar", "none" (no errors allowed:
  /// Eq. 10), or another name for the matrix in error_basis; in the spec of a model, the file with that matrix.
  std::string errors = "identity";
  bool unit_norm = true;    ///< normalise samples to length 1 first: the sparsity of codes depends on the scale
  bool correction = false;  ///< divide coordinate k by μ_k = 1 − λ_k if μ_k > 0.2, for Laplacian Eigenmaps
  double tolerance = 1e-8;  ///< largest relative duality gap of a code; samples above it are reported
  Matrix error_basis = {};  ///< one row per feature, one column per basis vector
};
[[nodiscard]] Fields fields(SparseOptions& options);

/// Exact on training samples with unit_norm, without correction, and with errors in an orthonormal basis or none (of
/// samples in the same direction, the equal one or the first); otherwise approximate.
[[nodiscard]] Extension extend_sparse(const MatrixRef& samples, const MatrixRef& coordinates,
                                      const SparseOptions& options = {}, const RunContext& context = {});

/// The same for the coordinates of a fit, which correction = true requires.
[[nodiscard]] Extension extend_sparse(const MatrixRef& samples, const LaplacianEigenmapsFit& fit,
                                      const SparseOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
