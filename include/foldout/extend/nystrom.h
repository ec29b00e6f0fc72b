// SPDX-License-Identifier: Apache-2.0
// The Nyström extension: an eigenvector of a kernel matrix becomes an eigenfunction, evaluated at a new sample with the
// data-dependent kernel of the embedding. It needs the fit itself, not only coordinates. (The fits of mds and kpca
// contain it as `map`.)
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "foldout/core/fields.h"
#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "foldout/extend/extension.h"

namespace [[gnu::visibility("default")]] foldout {

/// The extension of coordinates whose eigenvalue is too small to divide by. Auto: rbf on graphs of all pairs of at most
/// 4000 samples, otherwise lle. None: every coordinate is divided by its eigenvalue, as in the papers.
enum class NystromFallback { kAuto, kNone, kLle, kRbf };
template <>
inline constexpr auto kNames<NystromFallback> = std::array<std::string_view, 4>{"auto", "none", "lle", "rbf"};

/// Of laplacian_eigenmaps and diffusion_maps, except on L1 graphs.
struct NystromOptions {
  NystromFallback fallback = NystromFallback::kAuto;  ///< extension of coordinates with a small eigenvalue
  /// μ_k below which the fallback is used; auto: 1.5 times the mean √Σ_i c_i², the noise of a weighted mean;
  /// all coordinates on mutual graphs, none where the formula is exact or of diffusion maps.
  std::optional<double> min_eigenvalue = {};
};
[[nodiscard]] Fields fields(NystromOptions& options);

/// Exact on training samples if the edges of a sample depend on that sample alone (graphs of balls and of all pairs,
/// with self-loops and without bridges) and the fallback, if it is needed, is exact too. Otherwise approximate. The
/// report states how many coordinates the fallback places.
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const LaplacianEigenmapsFit& fit,
                                       const NystromOptions& options = {}, const RunContext& context = {});
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const DiffusionMapsFit& fit,
                                       const NystromOptions& options = {}, const RunContext& context = {});
/// The kernel of Isomap by Bengio et al. (2004), in which a new sample is an end of paths and never inside one: equals
/// extend_geodesic().
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const IsomapFit& fit, const RunContext& context = {});
/// The kernel of LLE by Bengio et al. (2004), in the limit of a large arbitrary constant: equals extend_lle().
[[nodiscard]] Extension extend_nystrom(const MatrixRef& samples, const Embedding& fit, const LleOptions& options,
                                       const RunContext& context = {});

}  // namespace foldout
