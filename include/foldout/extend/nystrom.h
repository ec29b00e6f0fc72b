// SPDX-License-Identifier: Apache-2.0
// The Nyström extension: an eigenvector of a kernel matrix becomes an eigenfunction, evaluated at a new sample by the
// same data-dependent kernel that the embedding used. It needs the fit itself, not only coordinates. (mds and kpca
// carry theirs as `map`.)
#pragma once

#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

/// Exact on training samples where the graph's rule can be evaluated from the side of a new sample alone: balls and all
/// pairs, with self-loops. Else approximate. Coordinates whose eigenvalue is too small to divide by are left undivided,
/// and the report names them.
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const LaplacianEigenmapsFit& fit,
                                       const RunContext& context = {});
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const DiffusionMapsFit& fit,
                                       const RunContext& context = {});
/// Bengio's kernel of Isomap, in which a new sample is an end of paths and never on one: what extend_geodesic computes.
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const IsomapFit& fit, const RunContext& context = {});
/// Bengio's kernel of LLE, in the limit in which its arbitrary constant grows: what extend_lle computes.
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const Embedding& fit, const LleOptions& options,
                                       const RunContext& context = {});

}  // namespace foldout
