// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "extend/code_choice.h"
#include "foldout/extend/elm.h"
#include "foldout/extend/geodesic.h"
#include "foldout/extend/kernel_extrapolation.h"
#include "foldout/extend/linear_extension.h"
#include "foldout/extend/lle_extension.h"
#include "foldout/extend/lvm.h"
#include "foldout/extend/rbf.h"
#include "foldout/extend/sparse.h"
#include "foldout/pipeline/compare.h"
#include "pipeline/entries.h"

namespace foldout {

namespace {

using Map = std::shared_ptr<const OutOfSampleMap>;

std::string goes_with_all(const FittedMethod&) { return {}; }

std::string method_of(const FittedMethod& fit) {
  return fit.spec.empty() ? "coordinates from elsewhere" : ComponentSpec::parse(fit.spec).name;
}

Map make_sparse(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext&,
                Report&) {
  return extend_sparse(samples, fit.embedding.coordinates, options_from<SparseOptions>(spec),
                       fit.laplacian_eigenvalues);
}

Map make_lvm(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext&, Report&) {
  return extend_lvm(samples, fit.embedding.coordinates, options_from<LvmOptions>(spec));
}

Map make_linear(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext&,
                Report& report) {
  return extend_linear(samples, fit.embedding.coordinates, options_from<LinearExtensionOptions>(spec), report);
}

Map make_rbf(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext& context,
             Report& report) {
  return extend_rbf(samples, fit.embedding.coordinates, options_from<RbfOptions>(spec), context, report);
}

Map make_elm(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext& context,
             Report& report) {
  return extend_elm(samples, fit.embedding.coordinates, options_from<ElmOptions>(spec), context, report);
}

Map make_kernel(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext& context,
                Report& report) {
  return extend_by_kernel(samples, fit.embedding.coordinates, options_from<KernelExtrapolationOptions>(spec), context,
                          report);
}

Map make_lle(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext&, Report&) {
  return extend_lle(samples, fit.embedding.coordinates, options_from<LleExtensionOptions>(spec));
}

Map make_codes(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext& context,
               Report& report) {
  auto options = options_from<CodesOptions>(spec);
  if (!options.coding_tau || !options.locality)
    options = chosen_by_leaving_out(samples, fit.embedding.coordinates, options, context, report);
  return extend_codes(samples, fit.embedding.coordinates, options);
}

std::string geodesic_refusal(const FittedMethod& fit) {
  if (fit.isomap) return {};
  return fmt::format(
      "extension 'geodesic' continues the shortest paths of an Isomap fit, which {} {} not: use --method isomap or "
      "landmark_isomap, or --extension sparse, which works with any coordinates",
      method_of(fit), fit.spec.empty() ? "are" : "is");
}

Map make_geodesic(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext&,
                  Report&) {
  return extend_geodesic(samples, *fit.isomap, options_from<GeodesicExtensionOptions>(spec));
}

bool has_own_nystrom(const FittedMethod& fit) { return fit.own_map && fit.own_map->info().name == "nystrom"; }

std::string nystrom_refusal(const FittedMethod& fit) {
  if (fit.nystrom || has_own_nystrom(fit)) return {};
  return fmt::format(
      "extension 'nystrom' evaluates the kernel of the fit at new samples, and {} no kernel: it goes with "
      "laplacian_eigenmaps, diffusion_maps, isomap, landmark_isomap, lle, mds and kpca. Use --extension sparse, which "
      "works with any coordinates",
      fit.spec.empty() ? "coordinates from elsewhere have" : method_of(fit) + " has");
}

Map make_nystrom(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext&,
                 Report& report) {
  apply(spec, {});
  return has_own_nystrom(fit) ? fit.own_map : fit.nystrom(samples, report);
}

Map make_auto(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec, const RunContext& context,
              Report& report) {
  return extend_by_best(samples, fit, options_from<AutoOptions>(spec), context, report);
}

template <class Options, auto make, auto refusal = goes_with_all>
constexpr ExtensionEntry entry(std::string_view name, std::string_view summary) {
  return {name, summary, keys_of<Options>, complete_with<Options>, refusal, make};
}

const std::array kExtensions{
    entry<SparseOptions, make_sparse>("sparse",
                                      "by the few training samples that make it up, with gross errors set "
                                      "apart: exact L1 codes"),
    entry<LvmOptions, make_lvm>("lvm", "to the mean of its nearest training samples, weighted by a heat kernel"),
    entry<LinearExtensionOptions, make_linear>("linear", "by a linear map fitted to the training samples"),
    entry<RbfOptions, make_rbf>("rbf", "by Gaussian radial basis functions fitted to the training samples"),
    ExtensionEntry{"nystrom", "by the eigenfunctions of the kernel that the method used", no_keys,
                   complete_without_keys, nystrom_refusal, make_nystrom},
    entry<ElmOptions, make_elm>("elm", "by a network with random hidden nodes: small and fast"),
    entry<LleExtensionOptions, make_lle>(
        "lle", "combines the coordinates of the nearest training samples as it combines the samples"),
    entry<KernelExtrapolationOptions, make_kernel>("kernel_extrapolation",
                                                   "by the smoothest function of a kernel through the coordinates"),
    entry<GeodesicExtensionOptions, make_geodesic, geodesic_refusal>(
        "geodesic", "continues the shortest paths of isomap and landmark_isomap"),
    entry<CodesOptions, make_codes>("codes", "combines the coordinates of its nearest atoms, near ones preferred"),
    entry<AutoOptions, make_auto>("auto", "by the extension that places held-out training samples best"),
};

}  // namespace

std::span<const ExtensionEntry> extension_table() { return kExtensions; }
const ExtensionEntry& find_extension(std::string_view name) { return find_entry(extension_table(), name, "extension"); }

std::vector<KeyInfo> describe_keys(const Fields& fields) {
  std::vector<KeyInfo> keys;
  for (const Field& field : fields) {
    const auto words = field.choices();
    keys.push_back({std::string(field.key().name),
                    std::string(field.type()),
                    field.range(),
                    field.text(),
                    std::string(field.key().meaning),
                    std::string(field.key().symbol),
                    {words.begin(), words.end()}});
  }
  return keys;
}

}  // namespace foldout
