// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/hessian_lle.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/kpca.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "foldout/embed/ltsa.h"
#include "foldout/embed/mds.h"
#include "foldout/extend/nystrom.h"
#include "foldout/project/pca.h"
#include "pipeline/entries.h"

namespace foldout {
namespace {

// What the Nyström and geodesic extensions of a method need of its fit.
template <class Fit, class Options>
void keep_for_extensions(const Fit& fit, const Options& options, FittedMethod& fitted) {
  if constexpr (std::is_same_v<Fit, IsomapFit>) {
    fitted.isomap = std::make_shared<IsomapFit>(fit);
    fitted.nystrom = [isomap = fitted.isomap](const MatrixRef& X, Report&) { return extend_nystrom(X, *isomap); };
  } else if constexpr (std::is_same_v<Fit, LaplacianEigenmapsFit> || std::is_same_v<Fit, DiffusionMapsFit>) {
    fitted.nystrom = [kept = std::make_shared<Fit>(fit)](const MatrixRef& X, Report& report) {
      return extend_nystrom(X, *kept, report);
    };
    if constexpr (std::is_same_v<Fit, LaplacianEigenmapsFit>) fitted.laplacian_eigenvalues = fit.eigenvalues;
  } else if constexpr (std::is_same_v<Options, LleOptions>) {
    fitted.nystrom = [kept = std::make_shared<Embedding>(fit), options](const MatrixRef& X, Report&) {
      return extend_nystrom(X, *kept, options);
    };
  }
}

// Runs fit_x(samples, options) for the options of a spec and keeps what extensions need. `natural` names the extension
// that goes with the method, with the keys that it takes over.
template <class Options, class Fit>
FittedMethod run(const MatrixRef& samples, const ComponentSpec& spec, const RunContext& context, Fit fit_function,
                 std::string_view natural, const std::vector<std::string_view>& inherited = {}) {
  auto options = options_from<Options>(spec);
  auto fit = fit_function(samples, options, context);
  FittedMethod fitted;
  const Fields values = fields(options);
  fitted.spec = spec_text(spec.name, values);
  if constexpr (requires { fit.map; }) fitted.own_map = fit.map;
  keep_for_extensions(fit, options, fitted);
  fitted.embedding = std::move(static_cast<Embedding&>(fit));
  ComponentSpec extension{std::string(natural), {}};
  for (const Field& field : values)
    if (std::ranges::find(inherited, field.key().name) != inherited.end())
      extension.values.emplace_back(field.key().name, field.text());
  fitted.natural_extension = natural.empty() ? "" : extension.text();
  return fitted;
}

const std::vector<std::string_view> kLleKeys{"n_neighbors", "reg", "metric", "search", "seed"};
const std::vector<std::string_view> kGeodesicKeys{"n_neighbors", "search", "seed"};

FittedMethod run_laplacian_eigenmaps(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<LaplacianEigenmapsOptions>(X, spec, context, fit_laplacian_eigenmaps, "nystrom");
}
FittedMethod run_lle(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<LleOptions>(X, spec, context, fit_lle, "lle", kLleKeys);
}
FittedMethod run_hessian_lle(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<HessianLleOptions>(X, spec, context, fit_hessian_lle, "lle", kLleKeys);
}
FittedMethod run_ltsa(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<LtsaOptions>(X, spec, context, fit_ltsa, "lle", kLleKeys);
}
FittedMethod run_isomap(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<IsomapOptions>(X, spec, context, fit_isomap, "geodesic", kGeodesicKeys);
}
FittedMethod run_landmark_isomap(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<LandmarkIsomapOptions>(X, spec, context, fit_landmark_isomap, "geodesic", kGeodesicKeys);
}
FittedMethod run_mds(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<MdsOptions>(X, spec, context, fit_mds, "nystrom");
}
FittedMethod run_kpca(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<KpcaOptions>(X, spec, context, fit_kpca, "nystrom");
}
FittedMethod run_diffusion_maps(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<DiffusionMapsOptions>(X, spec, context, fit_diffusion_maps, "nystrom");
}
FittedMethod run_pca(const MatrixRef& X, const ComponentSpec& spec, const RunContext& context) {
  return run<PcaOptions>(X, spec, context, fit_pca, "");
}

constexpr auto E = MethodKind::kEmbedding;
constexpr auto M = MethodKind::kMap;

const std::array kMethods{
    MethodEntry{"laplacian_eigenmaps", E, "keeps neighbours near: the smoothest functions on the neighbourhood graph",
                "Belkin and Niyogi, Neural Computation 15 (2003)", keys_of<LaplacianEigenmapsOptions>,
                complete_with<LaplacianEigenmapsOptions>, run_laplacian_eigenmaps},
    MethodEntry{"lle", E, "keeps how each sample is combined from its neighbours",
                "Roweis and Saul, Science 290 (2000)", keys_of<LleOptions>, complete_with<LleOptions>, run_lle},
    MethodEntry{"hessian_lle", E, "unfolds without curvature; recovers isometric maps, also of regions with holes",
                "Donoho and Grimes, PNAS 100 (2003)", keys_of<HessianLleOptions>, complete_with<HessianLleOptions>,
                run_hessian_lle},
    MethodEntry{"ltsa", E, "aligns the local tangent spaces", "Zhang and Zha, SIAM J. Sci. Comput. 26 (2004)",
                keys_of<LtsaOptions>, complete_with<LtsaOptions>, run_ltsa},
    MethodEntry{"isomap", E, "keeps geodesic distances; needs n² memory", "Tenenbaum et al., Science 290 (2000)",
                keys_of<IsomapOptions>, complete_with<IsomapOptions>, run_isomap},
    MethodEntry{"landmark_isomap", E, "keeps geodesic distances to landmarks: Isomap for many samples",
                "de Silva and Tenenbaum, NIPS 15 (2003)", keys_of<LandmarkIsomapOptions>,
                complete_with<LandmarkIsomapOptions>, run_landmark_isomap},
    MethodEntry{"mds", E, "keeps distances: classical multidimensional scaling", "Torgerson, Psychometrika 17 (1952)",
                keys_of<MdsOptions>, complete_with<MdsOptions>, run_mds},
    MethodEntry{"kpca", E, "principal components in the feature space of a kernel; needs n² memory",
                "Schölkopf et al., Neural Computation 10 (1998)", keys_of<KpcaOptions>, complete_with<KpcaOptions>,
                run_kpca},
    MethodEntry{"diffusion_maps", E, "keeps how random walks between samples spread",
                "Coifman and Lafon, Appl. Comput. Harmon. Anal. 21 (2006)", keys_of<DiffusionMapsOptions>,
                complete_with<DiffusionMapsOptions>, run_diffusion_maps},
    MethodEntry{"pca", M, "the directions of largest variance", "Pearson (1901)", keys_of<PcaOptions>,
                complete_with<PcaOptions>, run_pca},
};

}  // namespace

std::span<const MethodEntry> method_table() { return kMethods; }
const MethodEntry& find_method(std::string_view name) { return find_entry(method_table(), name, "method"); }

}  // namespace foldout
