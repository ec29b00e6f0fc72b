// SPDX-License-Identifier: Apache-2.0
#include "data/data_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/spec_fields.h"
#include "foldout/core/error.h"
#include "foldout/data/faces.h"
#include "foldout/data/synthetic.h"

namespace foldout {
namespace {

template <class Options>
const Fields& default_fields() {
  static Options defaults;
  static const Fields list = fields(defaults);
  return list;
}

// Adapts a maker to the signature of the table.
template <class Options, SyntheticData (*make)(Index, std::uint64_t, const Options&)>
SyntheticData make_from(const ComponentSpec& spec, Index n, std::uint64_t seed, const RunContext&) {
  Options options;
  apply(spec, fields(options));
  return make(n, seed, options);
}

SyntheticData make_faces_from(const ComponentSpec& spec, Index n, std::uint64_t seed, const RunContext& context) {
  FacesOptions options;
  apply(spec, fields(options));
  return make_faces(n, seed, options, context);
}

template <class Options, SyntheticData (*make)(Index, std::uint64_t, const Options&)>
constexpr DataEntry entry(std::string_view name, std::string_view summary) {
  return {name, summary, default_fields<Options>, make_from<Options, make>};
}

constexpr std::array kTable{
    entry<SwissRollOptions, make_swiss_roll>("swiss_roll", "a rolled-up sheet"),
    entry<SwissRollOptions, make_swiss_hole>("swiss_hole", "a rolled-up sheet with a rectangular hole"),
    entry<GaussianOptions, make_gaussian>("gaussian", "a bell-shaped hill, denser at its top"),
    entry<PuncturedSphereOptions, make_punctured_sphere>("punctured_sphere", "a sphere without its top, denser there"),
    entry<SCurveOptions, make_s_curve>("s_curve", "a sheet bent like an S"),
    entry<TwinPeaksOptions, make_twin_peaks>("twin_peaks", "a square sheet with two peaks and two hollows"),
    entry<ToroidalHelixOptions, make_toroidal_helix>("toroidal_helix", "a closed curve wound around a ring"),
    DataEntry{"faces", "greyscale images of people under varying pose, lighting and expression",
              default_fields<FacesOptions>, make_faces_from}};

}  // namespace

std::span<const DataEntry> data_table() { return kTable; }

SyntheticData make_data(const ComponentSpec& spec, Index n, std::uint64_t seed, const RunContext& context) {
  const auto found = std::ranges::find_if(kTable, [&](const DataEntry& e) { return same_name(e.name, spec.name); });
  if (found == kTable.end()) {
    std::vector<std::string_view> names;
    names.reserve(kTable.size());
    for (const DataEntry& e : kTable) names.push_back(e.name);
    throw InvalidArgument(fmt::format("there is no synthetic data set '{}'{}", spec.name, suggest(spec.name, names)));
  }
  return found->make(spec, n, seed, context);
}

}  // namespace foldout
