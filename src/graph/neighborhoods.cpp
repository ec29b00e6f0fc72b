// SPDX-License-Identifier: Apache-2.0
#include "foldout/graph/neighborhoods.h"

#include <algorithm>
#include <map>

#include "foldout/graph/components.h"

namespace foldout {
namespace {

Neighborhoods from_table(const NeighborTable& table, const std::vector<Gap>& bridges) {
  std::map<int, std::vector<std::pair<int, double>>> extra;
  for (const Gap& bridge : bridges) {
    extra[bridge.from].emplace_back(bridge.to, bridge.distance);
    extra[bridge.to].emplace_back(bridge.from, bridge.distance);
  }
  Neighborhoods lists;
  lists.first.resize(static_cast<std::size_t>(table.n) + 1);
  if (extra.empty()) {
    for (Index i = 0; i <= table.n; ++i) lists.first[static_cast<std::size_t>(i)] = i * table.k;
    lists.neighbors = table.indices;
    lists.distances = table.distances;
    return lists;
  }
  for (Index i = 0; i < table.n; ++i) {
    const auto row = table.of(i);
    const auto distances = table.distances_of(i);
    lists.neighbors.insert(lists.neighbors.end(), row.begin(), row.end());
    lists.distances.insert(lists.distances.end(), distances.begin(), distances.end());
    if (const auto found = extra.find(static_cast<int>(i)); found != extra.end())
      for (const auto& [to, distance] : found->second) {
        lists.neighbors.push_back(to);
        lists.distances.push_back(distance);
      }
    lists.first[static_cast<std::size_t>(i) + 1] = static_cast<Index>(lists.neighbors.size());
  }
  return lists;
}

}  // namespace

Neighborhoods find_neighborhoods(const MatrixRef& samples, const NeighborListOptions& options,
                                 const RunContext& context, Report& report) {
  const PhaseTimer timer(report, "neighbors");
  const NeighborOptions search{options.metric, options.search, options.seed};
  const NeighborTable table = nearest_neighbors(samples, options.n_neighbors, search, context);
  ComponentBuilder builder(table.n);
  for (Index i = 0; i < table.n; ++i)
    for (const int j : table.of(i)) builder.join(i, j);
  const ComponentRepair repair = repair_components(samples, builder, options, context, report);
  if (repair.kept.empty()) return from_table(table, repair.bridges);

  // Every neighbour of a kept sample is kept: only the numbers change.
  std::vector<int> number(static_cast<std::size_t>(table.n), -1);
  for (std::size_t i = 0; i < repair.kept.size(); ++i)
    number[static_cast<std::size_t>(repair.kept[i])] = static_cast<int>(i);
  NeighborTable part{static_cast<Index>(repair.kept.size()), table.k, {}, {}};
  for (const Index i : repair.kept) {
    for (const int j : table.of(i)) part.indices.push_back(number[static_cast<std::size_t>(j)]);
    const auto distances = table.distances_of(i);
    part.distances.insert(part.distances.end(), distances.begin(), distances.end());
  }
  Neighborhoods lists = from_table(part, {});
  lists.kept = repair.kept;
  return lists;
}

namespace {

Matrix take_rows(const MatrixRef& samples, const std::vector<Index>& kept) {
  Matrix rows(static_cast<Index>(kept.size()), samples.cols());
  for (std::size_t i = 0; i < kept.size(); ++i) rows.row(static_cast<Index>(i)) = samples.row(kept[i]);
  return rows;
}

}  // namespace

KeptSamples::KeptSamples(const MatrixRef& samples, const std::vector<Index>& kept)
    : copy_(take_rows(samples, kept)), view_(kept.empty() ? samples : MatrixRef(copy_)) {}

}  // namespace foldout
