// SPDX-License-Identifier: Apache-2.0
// Placing by sparse representation: a new sample is written as a combination of few training samples plus a sparse
// error, and goes to the mean of their coordinates, weighted by the size of their coefficients. No neighbourhood size,
// no kernel width. Works for any coordinates.
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
  /// Eq. 10), or another name, of the matrix in error_basis; in a model's spec, the file that holds it.
  std::string errors = "identity";
  bool unit_norm = true;  ///< samples are brought to length 1 first: the scale decides how sparse codes are
  bool correction = false;  ///< coordinates k are divided by μ_k = 1 − λ_k (where μ_k > 0.2), for Laplacian Eigenmaps
  double tolerance = 1e-8;  ///< largest relative duality gap of a code; samples above it are reported
  Matrix error_basis = {};  ///< one row per feature, one column per basis vector
};
[[nodiscard]] Fields fields(SparseOptions& options);

/// Exact on training samples with unit_norm (of samples in the same direction, the equal one or the first), else
/// approximate.
[[nodiscard]] Extension extend_sparse(const MatrixRef& samples, const MatrixRef& coordinates,
                                      const SparseOptions& options = {}, const RunContext& context = {});

/// The same for the coordinates of a fit, which correction = true needs.
[[nodiscard]] Extension extend_sparse(const MatrixRef& samples, const LaplacianEigenmapsFit& fit,
                                      const SparseOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
