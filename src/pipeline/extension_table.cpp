// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "foldout/extend/geodesic.h"
#include "foldout/extend/lle_extension.h"
#include "pipeline/entries.h"

namespace foldout {

namespace {

using Map = std::shared_ptr<const OutOfSampleMap>;

Map make_lle(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec) {
  return extend_lle(samples, fit.embedding.coordinates, options_from<LleExtensionOptions>(spec));
}

Map make_geodesic(const MatrixRef& samples, const FittedMethod& fit, const ComponentSpec& spec) {
  const auto options = options_from<GeodesicExtensionOptions>(spec);
  if (!fit.isomap)
    throw InvalidArgument(
        "extension 'geodesic' continues the shortest paths of Isomap and needs such a fit: use --method isomap or "
        "landmark_isomap, or --extension lle, which works with any method");
  return extend_geodesic(samples, *fit.isomap, options);
}

Map make_nystrom(const MatrixRef&, const FittedMethod& fit, const ComponentSpec& spec) {
  apply(spec, {});
  if (!fit.own_map || fit.own_map->info().name != "nystrom")
    throw InvalidArgument(
        "extension 'nystrom' is available for kpca in this version: use --extension lle, which works with any method");
  return fit.own_map;
}

const std::array kExtensions{
    ExtensionEntry{"lle", "combines the coordinates of the nearest training samples as it combines the samples",
                   keys_of<LleExtensionOptions>, complete_with<LleExtensionOptions>, make_lle},
    ExtensionEntry{"geodesic", "continues the shortest paths of isomap and landmark_isomap",
                   keys_of<GeodesicExtensionOptions>, complete_with<GeodesicExtensionOptions>, make_geodesic},
    ExtensionEntry{"nystrom", "evaluates the eigenfunctions of kpca's kernel", no_keys, complete_without_keys,
                   make_nystrom},
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
