// SPDX-License-Identifier: Apache-2.0
// The Nyström extension: an eigenvector of a kernel matrix becomes an eigenfunction, evaluated at a new sample with the
// data-dependent kernel of the embedding. It needs the fit itself, not only coordinates. (The fits of mds and kpca
// contain it as `map`.)
#pragma once

#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

/// Exact on training samples if the edges of a sample depend on that sample alone: graphs of balls and of all pairs,
/// with self-loops and without bridges. Otherwise approximate. Coordinates whose eigenvalue is too small are not
/// divided by it, and the report states how many.
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const LaplacianEigenmapsFit& fit,
                                       const RunContext& context = {});
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const DiffusionMapsFit& fit,
                                       const RunContext& context = {});
/// The kernel of Isomap by Bengio et al. (2004), in which a new sample is an end of paths and never inside one: equals
/// extend_geodesic().
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const IsomapFit& fit, const RunContext& context = {});
/// The kernel of LLE by Bengio et al. (2004), in the limit of a large arbitrary constant: equals extend_lle().
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const Embedding& fit, const LleOptions& options,
                                       const RunContext& context = {});

}  // namespace foldout
