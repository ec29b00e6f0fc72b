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
#include "foldout/project/cea.h"
#include "foldout/project/lda.h"
#include "foldout/project/lpp.h"
#include "foldout/project/lsda.h"
#include "foldout/project/npe.h"
#include "foldout/project/nppe.h"
#include "foldout/project/olpp.h"
#include "foldout/project/onpp.h"
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
                 std::string_view natural, const std::vector<std::string_view>& inherited = {},
                 const std::vector<int>& labels = {}) {
  auto options = options_from<Options>(spec);
  auto fit = [&] {
    if constexpr (std::is_invocable_v<Fit, const MatrixRef&, const std::vector<int>&, Options, RunContext>)
      return fit_function(samples, labels, options, context);
    else
      return fit_function(samples, options, context);
  }();
  FittedMethod fitted;
  fitted.labels = labels;
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

FittedMethod run_laplacian_eigenmaps(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                                     const RunContext& context) {
  return run<LaplacianEigenmapsOptions>(X, spec, context, fit_laplacian_eigenmaps, "nystrom");
}
FittedMethod run_lle(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                     const RunContext& context) {
  return run<LleOptions>(X, spec, context, fit_lle, "lle", kLleKeys);
}
FittedMethod run_hessian_lle(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                             const RunContext& context) {
  return run<HessianLleOptions>(X, spec, context, fit_hessian_lle, "lle", kLleKeys);
}
FittedMethod run_ltsa(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                      const RunContext& context) {
  return run<LtsaOptions>(X, spec, context, fit_ltsa, "lle", kLleKeys);
}
FittedMethod run_isomap(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                        const RunContext& context) {
  return run<IsomapOptions>(X, spec, context, fit_isomap, "geodesic", kGeodesicKeys);
}
FittedMethod run_landmark_isomap(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                                 const RunContext& context) {
  return run<LandmarkIsomapOptions>(X, spec, context, fit_landmark_isomap, "geodesic", kGeodesicKeys);
}
FittedMethod run_mds(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                     const RunContext& context) {
  return run<MdsOptions>(X, spec, context, fit_mds, "nystrom");
}
FittedMethod run_kpca(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                      const RunContext& context) {
  return run<KpcaOptions>(X, spec, context, fit_kpca, "nystrom");
}
FittedMethod run_diffusion_maps(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                                const RunContext& context) {
  return run<DiffusionMapsOptions>(X, spec, context, fit_diffusion_maps, "nystrom");
}
FittedMethod run_pca(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                     const RunContext& context) {
  return run<PcaOptions>(X, spec, context, fit_pca, "");
}
FittedMethod run_lda(const MatrixRef& X, const std::vector<int>& labels, const ComponentSpec& spec,
                     const RunContext& context) {
  return run<LdaOptions>(X, spec, context, fit_lda, "", {}, labels);
}
FittedMethod run_lpp(const MatrixRef& X, const std::vector<int>& labels, const ComponentSpec& spec,
                     const RunContext& context) {
  return run<LppOptions>(X, spec, context, fit_lpp, "", {}, labels);
}
FittedMethod run_olpp(const MatrixRef& X, const std::vector<int>& labels, const ComponentSpec& spec,
                      const RunContext& context) {
  return run<OlppOptions>(X, spec, context, fit_olpp, "", {}, labels);
}
FittedMethod run_npe(const MatrixRef& X, const std::vector<int>& labels, const ComponentSpec& spec,
                     const RunContext& context) {
  return run<NpeOptions>(X, spec, context, fit_npe, "", {}, labels);
}
FittedMethod run_onpp(const MatrixRef& X, const std::vector<int>& labels, const ComponentSpec& spec,
                      const RunContext& context) {
  return run<OnppOptions>(X, spec, context, fit_onpp, "", {}, labels);
}
FittedMethod run_lsda(const MatrixRef& X, const std::vector<int>& labels, const ComponentSpec& spec,
                      const RunContext& context) {
  return run<LsdaOptions>(X, spec, context, fit_lsda, "", {}, labels);
}
FittedMethod run_cea(const MatrixRef& X, const std::vector<int>& labels, const ComponentSpec& spec,
                     const RunContext& context) {
  return run<CeaOptions>(X, spec, context, fit_cea, "", {}, labels);
}
FittedMethod run_nppe(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                      const RunContext& context) {
  return run<NppeOptions>(X, spec, context, fit_nppe, "");
}
FittedMethod run_snppe(const MatrixRef& X, const std::vector<int>&, const ComponentSpec& spec,
                       const RunContext& context) {
  return run<SnppeOptions>(X, spec, context, fit_snppe, "");
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
    MethodEntry{"lda", M, "class means far apart relative to the spread of all samples", "Fisher (1936)",
                keys_of<LdaOptions>, complete_with<LdaOptions>, run_lda},
    MethodEntry{"lpp", M, "keeps neighbours near: laplacian_eigenmaps by a map", "He and Niyogi, NIPS 16 (2003)",
                keys_of<LppOptions>, complete_with<LppOptions>, run_lpp},
    MethodEntry{"olpp", M, "keeps neighbours near by orthogonal directions",
                "Cai et al., IEEE TIP 15 (2006); Kokiopoulou and Saad, IEEE PAMI 29 (2007)", keys_of<OlppOptions>,
                complete_with<OlppOptions>, run_olpp},
    MethodEntry{"npe", M, "keeps how samples are combined from neighbours: lle by a map", "He et al., ICCV (2005)",
                keys_of<NpeOptions>, complete_with<NpeOptions>, run_npe},
    MethodEntry{"onpp", M, "the same by orthogonal directions", "Kokiopoulou and Saad, IEEE PAMI 29 (2007)",
                keys_of<OnppOptions>, complete_with<OnppOptions>, run_onpp},
    MethodEntry{"lsda", M, "neighbours of a class near, of other classes far", "Cai et al., IJCAI (2007)",
                keys_of<LsdaOptions>, complete_with<LsdaOptions>, run_lsda},
    MethodEntry{"cea", M, "classes at small angles, near samples of others at large ones",
                "Fu, Liu and Huang, CVPR (2007)", keys_of<CeaOptions>, complete_with<CeaOptions>, run_cea},
    MethodEntry{"nppe", M, "a polynomial of the sample that keeps neighbourhoods",
                "Qiao et al., IEEE Trans. Cybernetics 43 (2013)", keys_of<NppeOptions>, complete_with<NppeOptions>,
                run_nppe},
    MethodEntry{"snppe", M, "the same in powers of single features: quick in high dimensions",
                "Qiao et al., IEEE Trans. Cybernetics 43 (2013)", keys_of<SnppeOptions>, complete_with<SnppeOptions>,
                run_snppe},
};

}  // namespace

std::span<const MethodEntry> method_table() { return kMethods; }

ComponentSpec parse_method(std::string_view text) {
  ComponentSpec spec = ComponentSpec::parse(text);
  if (spec.name == "klpp" || spec.name == "konpp" || spec.name == "kcea") {
    spec.name.erase(0, 1);
    if (!spec.find("features")) spec.values.emplace_back("features", "kernel");
  }
  return spec;
}

const MethodEntry& find_method(std::string_view name) { return find_entry(method_table(), name, "method"); }

}  // namespace foldout
