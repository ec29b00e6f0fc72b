// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "components/auto_extension.h"
#include "components/entries.h"
#include "components/extension_cost.h"
#include "extend/error_basis.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/extend/codes.h"
#include "foldout/extend/elm.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/kernel_extrapolation.h"
#include "foldout/extend/linear.h"
#include "foldout/extend/lle.h"
#include "foldout/extend/lvm.h"
#include "foldout/extend/mode.h"
#include "foldout/extend/rbf.h"
#include "foldout/extend/sparse.h"
#include "foldout/io/files.h"

namespace foldout {
namespace {

std::string accepts_all(const FittedMethod&) { return {}; }

template <class Options>
using Extend = Extension (*)(const MatrixRef&, const MatrixRef&, const Options&, const RunContext&);

// Any pair (samples, coordinates).
template <class Options, Extend<Options> extend>
ExtensionRow entry(std::string_view name, std::string_view summary, decltype(ExtensionRow::cost) cost) {
  return {row_of<Options>(name, summary), accepts_all,
          [](const MatrixRef& samples, const FittedMethod& fit, const std::any& options, const RunContext& context) {
            return extend(samples, fit.embedding->coordinates, options_in<Options>(options), context);
          },
          cost};
}

// The key `errors` of a spec may be the name of a file.
Extension make_sparse(const MatrixRef& samples, const FittedMethod& fit, const std::any& options,
                      const RunContext& context) {
  auto o = options_in<SparseOptions>(options);
  if (o.error_basis.size() == 0 && !is_named_error_basis(o.errors)) o.error_basis = load_matrix(o.errors);
  if (const auto* laplacian = fit.as<LaplacianEigenmapsFit>()) return extend_sparse(samples, *laplacian, o, context);
  return extend_sparse(samples, fit.embedding->coordinates, o, context);
}

std::string geodesic_refusal(const FittedMethod& fit) {
  if (fit.as<IsomapFit>()) return {};
  return fmt::format(
      "extension 'geodesic' continues the shortest paths of an Isomap fit and cannot extend {}: use the method isomap "
      "or "
      "landmark_isomap, or the extension sparse, which works with any coordinates",
      fit.what());
}

Extension make_geodesic(const MatrixRef& samples, const FittedMethod& fit, const std::any& options,
                        const RunContext& context) {
  return extend_geodesic(samples, *fit.as<IsomapFit>(), options_in<GeodesicExtensionOptions>(options), context);
}

std::string nystrom_refusal(const FittedMethod& fit) {
  if (fit.method && fit.method.row().nystrom) return {};
  std::string with;
  for (const MethodRow& method : method_table())
    if (method.nystrom) with += fmt::format("{}{}", with.empty() ? "" : ", ", method.name);
  return fmt::format(
      "extension 'nystrom' evaluates the kernel of the fit at new samples, but {} {} no kernel: it works with {}. Use "
      "the extension sparse, which works with any coordinates",
      fit.what(), fit.method ? "has" : "have", with);
}

Extension make_nystrom(const MatrixRef& samples, const FittedMethod& fit, const std::any& options,
                       const RunContext& context) {
  return fit.method.row().nystrom(samples, fit, options_in<NystromOptions>(options), context);
}

std::string own_refusal(const FittedMethod& fit) {
  if (fit.own_map) return {};
  return fmt::format(
      "extension 'own' is the map that a method computes itself, and {} {} none: leave the extension out for the "
      "default of the method, or use lle or sparse, which work with any coordinates",
      fit.what(), fit.method ? "has" : "have");
}

Extension make_own(const MatrixRef&, const FittedMethod& fit, const std::any&, const RunContext&) {
  return {fit.own_map, {}};
}

Extension make_auto(const MatrixRef& samples, const FittedMethod& fit, const std::any& options,
                    const RunContext& context) {
  return extend_by_best(samples, fit, options_in<AutoOptions>(options), context);
}

}  // namespace

std::span<const ExtensionRow> extension_table() {
  static const std::array table{
      ExtensionRow{row_of<SparseOptions>("sparse",
                                         "by exact L1 codes: a reconstruction from few training samples, with gross "
                                         "errors separated"),
                   accepts_all, make_sparse, cost::sparse},
      entry<LvmOptions, extend_lvm>("lvm", "at the mean of its nearest training samples, weighted by a heat kernel",
                                    cost::lvm),
      entry<LinearExtensionOptions, extend_linear>("linear", "by a linear map fitted to the training samples",
                                                   cost::linear),
      entry<RbfOptions, extend_rbf>("rbf", "by Gaussian radial basis functions fitted to the training samples",
                                    cost::rbf),
      ExtensionRow{row_of<NystromOptions>("nystrom", "by the eigenfunctions of the method's kernel"), nystrom_refusal,
                   make_nystrom, cost::nystrom},
      entry<ElmOptions, extend_elm>("elm", "by a network with random hidden nodes: small and fast", cost::elm),
      entry<LleExtensionOptions, extend_lle>(
          "lle", "by the weights that reconstruct it from its nearest training samples", cost::lle),
      entry<ModeOptions, extend_mode>(
          "mode", "where its nearest training samples are densest: for maps with clusters, as of UMAP and t-SNE",
          cost::mode),
      entry<KernelExtrapolationOptions, extend_kernel_extrapolation>(
          "kernel_extrapolation", "by the function of smallest norm in a kernel's space through the coordinates",
          cost::kernel_extrapolation),
      ExtensionRow{row_of<GeodesicExtensionOptions>("geodesic",
                                                    "by continuing the shortest paths of isomap and landmark_isomap"),
                   geodesic_refusal, make_geodesic, cost::geodesic},
      entry<CodesOptions, extend_codes>("codes", "by codes over its nearest atoms, with a penalty on distant ones",
                                        cost::codes),
      ExtensionRow{row_of<NoOptions>("own", "by the map that the method computes itself (pca, lpp, …)"), own_refusal,
                   make_own, cost::own},
      ExtensionRow{row_of<AutoOptions>("auto", "by the extension that places held-out training samples best"),
                   accepts_all, make_auto, nullptr},
  };
  return table;
}

}  // namespace foldout
