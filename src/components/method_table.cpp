// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "components/entries.h"
#include "extend/makers.h"
#include "foldout/embed/diffusion_maps.h"
#include "foldout/embed/hessian_lle.h"
#include "foldout/embed/isomap.h"
#include "foldout/embed/kpca.h"
#include "foldout/embed/laplacian_eigenmaps.h"
#include "foldout/embed/lle.h"
#include "foldout/embed/ltsa.h"
#include "foldout/embed/mds.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/lle.h"
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

namespace foldout {
namespace {

// The default extensions of methods.
constexpr char kNystrom[] = "nystrom", kLle[] = "lle", kGeodesic[] = "geodesic", kOwnMap[] = "";

template <class Options, auto fit>
constexpr bool kTakesLabels =
    std::is_invocable_v<decltype(fit), const MatrixRef&, const std::vector<int>&, const Options&, const RunContext&>;

// The number of components that was found replaces the fraction of the variance that asked for it.
template <class Options>
void record_found(FittedMethod& fitted) {
  if constexpr (requires(Options o) { o.n_components.is_fraction(); }) {
    auto found = fitted.method.as<Options>();
    found.n_components = fitted.embedding->coordinates.cols();
    fitted.method.found(found);
  }
}

template <class Options, auto fit>
FittedMethod run(const MatrixRef& samples, const std::vector<int>& labels, const Component<MethodRow>& method,
                 const RunContext& context) {
  const auto& options = method.as<Options>();
  if constexpr (kTakesLabels<Options, fit>) {
    return {method, fit(samples, labels, options, context), labels};
  } else {
    FittedMethod fitted{method, fit(samples, options, context), {}};
    record_found<Options>(fitted);
    return fitted;
  }
}

template <class Options, auto fit>
auto fit_type() {
  if constexpr (kTakesLabels<Options, fit>)
    return decltype(fit(std::declval<Matrix>(), std::vector<int>(), Options(), RunContext())){};
  else
    return decltype(fit(std::declval<Matrix>(), Options(), RunContext())){};
}

// Inherits the keys that the method also has.
template <class Options, const char* name>
Component<ExtensionRow> natural_extension(const std::any& options) {
  Component<ExtensionRow> extension{std::string_view(name)};
  Options values = options_in<Options>(options);
  for (const Field& field : fields(values)) extension.set_default(field.key().name, field.text());
  return extension;
}

// extend_nystrom() of the fit, if there is one; that of mds and kpca is their own map.
template <class Options, class Fit, MethodKind kind>
constexpr auto nystrom() -> decltype(MethodRow::nystrom) {
  if constexpr (requires(const MatrixRef& X, const Fit& f, const NystromOptions& o) { extend_nystrom(X, f, o); })
    return [](const MatrixRef& X, const FittedMethod& fitted, const NystromOptions& o, const RunContext& context) {
      return extend_nystrom(X, *fitted.as<Fit>(), o, context);
    };
  else if constexpr (requires(const MatrixRef& X, const Fit& f) { extend_nystrom(X, f); })
    return [](const MatrixRef& X, const FittedMethod& fitted, const NystromOptions& o, const RunContext& context) {
      require_default(o, fitted.what());
      return extend_nystrom(X, *fitted.as<Fit>(), context);
    };
  else if constexpr (requires(const MatrixRef& X, const Fit& f, const Options& m) { extend_nystrom(X, f, m); })
    return [](const MatrixRef& X, const FittedMethod& fitted, const NystromOptions& o, const RunContext& context) {
      require_default(o, fitted.what());
      return extend_nystrom(X, *fitted.as<Fit>(), fitted.method.as<Options>(), context);
    };
  else if constexpr (kind == MethodKind::kEmbedding && requires(const Fit& f) { f.map; })
    return [](const MatrixRef&, const FittedMethod& fitted, const NystromOptions& o, const RunContext&) {
      require_default(o, fitted.what());
      return Extension{fitted.own_map, {}};
    };
  else
    return nullptr;
}

template <class Options>
Index neighbors_in(const std::any& options) {
  const auto& o = options_in<Options>(options);
  if constexpr (requires { o.graph; })
    if (o.graph != GraphKind::kKnn && o.graph != GraphKind::kMutual) return 0;
  if constexpr (requires { Index{*o.n_neighbors}; })
    return o.n_neighbors.value_or(0);
  else if constexpr (requires { Index{o.n_neighbors}; })
    return o.n_neighbors;
  else
    return 0;
}

template <class Options>
RowMeaning rows_in(const std::any& options) {
  const auto& o = options_in<Options>(options);
  if constexpr (requires { o.metric == Metric::kPrecomputed; })
    if (o.metric == Metric::kPrecomputed) return RowMeaning::kDistances;
  if constexpr (requires { o.kernel == KernelKind::kPrecomputed; })
    if (o.kernel == KernelKind::kPrecomputed) return RowMeaning::kKernelValues;
  return RowMeaning::kSamples;
}

template <MethodKind kind, class Options, auto fit, const char* natural>
MethodRow row(std::string_view name, std::string_view summary, std::string_view reference) {
  using Fit = decltype(fit_type<Options, fit>());
  return {row_of<Options>(name, summary, reference),
          kind,
          run<Options, fit>,
          natural_extension<Options, natural>,
          nystrom<Options, Fit, kind>(),
          neighbors_in<Options>,
          rows_in<Options>};
}

template <class Options, auto fit, const char* natural>
MethodRow embedding(std::string_view name, std::string_view summary, std::string_view reference) {
  return row<MethodKind::kEmbedding, Options, fit, natural>(name, summary, reference);
}

template <class Options, auto fit>
MethodRow map(std::string_view name, std::string_view summary, std::string_view reference) {
  return row<MethodKind::kMap, Options, fit, kOwnMap>(name, summary, reference);
}

}  // namespace

std::span<const MethodRow> method_table() {
  static const std::array kMethods{
      embedding<LaplacianEigenmapsOptions, fit_laplacian_eigenmaps, kNystrom>(
          "laplacian_eigenmaps", "keeps neighbours near each other: the smoothest functions on the neighbourhood graph",
          "Belkin and Niyogi, Neural Computation 15 (2003)"),
      embedding<LleOptions, fit_lle, kLle>("lle", "preserves the reconstruction of each sample from its neighbours",
                                           "Roweis and Saul, Science 290 (2000)"),
      embedding<HessianLleOptions, fit_hessian_lle, kLle>(
          "hessian_lle", "minimises curvature; recovers isometric embeddings, also of regions with holes",
          "Donoho and Grimes, PNAS 100 (2003)"),
      embedding<LtsaOptions, fit_ltsa, kLle>("ltsa", "aligns the local tangent spaces",
                                             "Zhang and Zha, SIAM J. Sci. Comput. 26 (2004)"),
      embedding<IsomapOptions, fit_isomap, kGeodesic>("isomap", "preserves geodesic distances; needs n² memory",
                                                      "Tenenbaum et al., Science 290 (2000)"),
      embedding<LandmarkIsomapOptions, fit_landmark_isomap, kGeodesic>(
          "landmark_isomap", "preserves geodesic distances to landmarks: Isomap for large data sets",
          "de Silva and Tenenbaum, NIPS 15 (2003)"),
      embedding<MdsOptions, fit_mds, kNystrom>("mds", "preserves distances: classical multidimensional scaling",
                                               "Torgerson, Psychometrika 17 (1952)"),
      embedding<KpcaOptions, fit_kpca, kNystrom>(
          "kpca", "principal components in the feature space of a kernel; needs n² memory",
          "Schölkopf et al., Neural Computation 10 (1998)"),
      embedding<DiffusionMapsOptions, fit_diffusion_maps, kNystrom>(
          "diffusion_maps", "preserves diffusion distances, which compare random walks on the graph",
          "Coifman and Lafon, Appl. Comput. Harmon. Anal. 21 (2006)"),
      map<PcaOptions, fit_pca>("pca", "the directions of largest variance", "Pearson (1901)"),
      map<LdaOptions, fit_lda>("lda", "separates class means relative to the scatter of all samples", "Fisher (1936)"),
      map<LppOptions, fit_lpp>("lpp", "keeps neighbours near each other: laplacian_eigenmaps as an explicit map",
                               "He and Niyogi, NIPS 16 (2003)"),
      map<OlppOptions, fit_olpp>("olpp", "lpp with orthogonal directions",
                                 "Cai et al., IEEE TIP 15 (2006); Kokiopoulou and Saad, IEEE PAMI 29 (2007)"),
      map<NpeOptions, fit_npe>("npe", "preserves reconstructions from neighbours: lle as an explicit map",
                               "He et al., ICCV (2005)"),
      map<OnppOptions, fit_onpp>("onpp", "npe with orthogonal directions", "Kokiopoulou and Saad, IEEE PAMI 29 (2007)"),
      map<LsdaOptions, fit_lsda>("lsda",
                                 "keeps neighbours of the same class near each other and those of other classes apart",
                                 "Cai et al., IJCAI (2007)"),
      map<CeaOptions, fit_cea>("cea", "small angles within classes, large angles to neighbours of other classes",
                               "Fu, Liu and Huang, CVPR (2007)"),
      map<NppeOptions, fit_nppe>("nppe", "a polynomial map that preserves neighbourhoods",
                                 "Qiao et al., IEEE Trans. Cybernetics 43 (2013)"),
      map<SnppeOptions, fit_snppe>("snppe", "nppe with powers of single features: fast in high dimensions",
                                   "Qiao et al., IEEE Trans. Cybernetics 43 (2013)"),
  };
  return kMethods;
}

}  // namespace foldout
