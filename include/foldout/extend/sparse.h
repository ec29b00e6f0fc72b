// SPDX-License-Identifier: Apache-2.0
// Placing by sparse representation: a new sample is written as a combination of few training samples plus a sparse
// error, and goes to the mean of their coordinates, weighted by the size of their coefficients. No neighbourhood size,
// no kernel width. Works for any coordinates.
//
//   auto fit = fit_laplacian_eigenmaps(X, {.n_components = 2});
//   auto place = extend_sparse(X, fit.coordinates);
//   Matrix y = place->transform(x_new);
#pragma once

#include <memory>
#include <string>

#include "foldout/core/fields.h"
#include "foldout/maps/coded_map.h"

namespace foldout {

struct SparseOptions {
  /// A_e, the basis in which errors are sparse: "identity" (single features), "dct", "haar", "none" (no errors allowed:
  /// Eq. 10), or a file with a matrix of one row per feature and one column per basis vector.
  std::string errors = "identity";
  bool unit_norm = true;  ///< samples are brought to length 1 first: the scale decides how sparse codes are
  bool correction = false;  ///< coordinates k are divided by μ_k = 1 − λ_k (where μ_k > 0.2), for Laplacian Eigenmaps
  double tolerance = 1e-8;  ///< largest relative duality gap of a code; samples above it are reported
};
[[nodiscard]] Fields fields(SparseOptions& options);

/// Exact on training samples with unit_norm (of samples in the same direction, the equal one or the first), else
/// approximate. `laplacian_eigenvalues` are the λ of a Laplacian Eigenmaps fit, for correction=true. `name` is what the
/// map calls itself.
[[nodiscard]] std::shared_ptr<const CodedMap> extend_sparse(const MatrixRef& samples, const MatrixRef& coordinates,
                                                            const SparseOptions& options = {},
                                                            const Vector& laplacian_eigenvalues = {},
                                                            std::string_view name = "sparse");

}  // namespace foldout
