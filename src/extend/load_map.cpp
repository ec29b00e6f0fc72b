// SPDX-License-Identifier: Apache-2.0
#include "extend/load_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "extend/graph_coder.h"
#include "foldout/core/error.h"
#include "foldout/maps/explicit_map.h"
#include "maps/mixed_map.h"
#include "maps/saved_info.h"
#include "neighbors/neighbors.h"

namespace foldout {

void save_search(const NeighborOptions& options, int n_neighbors, Archive& archive) {
  archive.put("search", std::vector<std::int64_t>{static_cast<std::int64_t>(options.metric),
                                                  static_cast<std::int64_t>(options.search),
                                                  static_cast<std::int64_t>(options.seed), n_neighbors});
}

Matrix searched_samples(const MatrixRef& samples, Metric metric) {
  return metric == Metric::kPrecomputed ? Matrix(0, samples.cols()) : Matrix(samples);
}

Matrix load_searched_samples(const Archive& archive, Index n_features) {
  const auto values = archive.integers("search");
  const bool distances = !values.empty() && values[0] == static_cast<std::int64_t>(Metric::kPrecomputed);
  return distances ? Matrix(0, n_features) : load_samples(archive, n_features);
}

NeighborOptions load_search(const Archive& archive, const Matrix& samples, int& n_neighbors) {
  const auto values = archive.integers("search");
  const bool distances = samples.rows() == 0;
  const Index n_samples = distances ? samples.cols() : samples.rows();
  const bool sound = values.size() == 4 && values[0] >= 0 && values[0] < std::ssize(kNames<Metric>) && values[1] >= 0 &&
                     values[1] < std::ssize(kNames<NeighborSearch>) && values[3] >= 1 && values[3] <= n_samples;
  if (!sound || distances != (static_cast<Metric>(values[0]) == Metric::kPrecomputed))
    throw IoError("the neighbour search of the map is not known to this version");
  n_neighbors = static_cast<int>(values[3]);
  return {static_cast<Metric>(values[0]), static_cast<NeighborSearch>(values[1]),
          static_cast<std::uint64_t>(values[2])};
}

namespace {

std::shared_ptr<const Coder> load_coder(const Archive& archive, Index n_features) {
  const std::string& kind = archive.text("coder");
  if (kind == "lle") return load_lle_coder(archive, n_features);
  if (kind == "mode") return load_mode_coder(archive, n_features);
  if (kind == "graph") return load_graph_coder(archive, n_features);
  if (kind == "local") return load_local_coder(archive, n_features);
  if (kind == "sparse") return load_sparse_coder(archive, n_features);
  throw IoError(fmt::format("codes of the kind '{}' are not known to this version", kind));
}

std::shared_ptr<const OutOfSampleMap> load_coded(const Archive& archive) {
  const MapInfo info = load_info(archive);
  return std::make_shared<CodedMap>(info, load_coder(archive, info.n_features), archive.matrix("coordinates"));
}

// Parts are not mixed maps themselves, so a file cannot nest them.
MixedMap::Part load_part(const Archive& archive) {
  if (archive.text("map") == "mixed") throw IoError("a part of the map is a mixed map itself");
  return load_map(archive);
}

std::shared_ptr<const OutOfSampleMap> load_mixed(const Archive& archive) {
  const Archive one = archive.part("first");
  Archive two = archive.part("second");
  if (const auto shared = one.tensors.find("samples"); shared != one.tensors.end()) two.tensors.insert(*shared);
  MixedMap::Part first = load_part(one), second = load_part(two);
  return std::make_shared<MixedMap>(archive.text("name"), std::move(first), std::move(second),
                                    archive.integers("columns"));
}

}  // namespace

std::shared_ptr<const OutOfSampleMap> load_map(const Archive& archive) {
  const std::string& kind = archive.text("map");
  try {
    if (kind == "explicit") return std::make_shared<ExplicitMap>(archive);
    if (kind == "geodesic") return load_geodesic(archive);
    if (kind == "coded") return load_coded(archive);
    if (kind == "mixed") return load_mixed(archive);
  } catch (const InvalidArgument& error) {  // values that a fit would reject
    throw IoError(error.what());
  }
  throw IoError(fmt::format("maps of the kind '{}' are not known to this version", kind));
}

}  // namespace foldout
