// SPDX-License-Identifier: Apache-2.0
#include "graph/neighborhoods.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/rows.h"
#include "foldout/core/error.h"
#include "graph/components.h"

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
  const PhaseTimer timer(report, "neighbors", context);
  const NeighborOptions search{options.metric, options.search, options.seed};
  const NeighborTable table = nearest_neighbors(samples, options.n_neighbors, search, context);
  ComponentBuilder builder(table.n);
  for (Index i = 0; i < table.n; ++i)
    for (const int j : table.of(i)) builder.join(i, j);
  const std::string remedy = fmt::format("raise n_neighbors (now {})", options.n_neighbors);
  const ComponentRepair repair = repair_components(samples, builder, options, remedy, context, report);
  if (repair.kept.empty()) return from_table(table, repair.bridges);

  // Every neighbour of a kept sample is kept: only the indices change.
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

DistinctSamples::Repetitions::Repetitions(const MatrixRef& samples) {
  const Index d = samples.cols();
  const auto row = [&](Index i) { return samples.row(i).data(); };
  std::vector<Index> order(static_cast<std::size_t>(samples.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) {
    const auto [x, y] = std::mismatch(row(a), row(a) + d, row(b));
    return x == row(a) + d ? a < b : *x < *y;
  });
  std::vector<Index> leader(order.size());  // the first sample equal to this one
  bool repeated = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && std::equal(row(order[i]), row(order[i]) + d, row(order[i - 1]));
    leader[static_cast<std::size_t>(order[i])] = same ? leader[static_cast<std::size_t>(order[i - 1])] : order[i];
    repeated |= same;
  }
  if (!repeated) return;
  number.resize(order.size());
  for (std::size_t i = 0; i < number.size(); ++i) {
    const auto first_one = static_cast<std::size_t>(leader[i]);
    number[i] = first_one == i ? static_cast<Index>(first.size()) : number[first_one];
    if (first_one == i) first.push_back(static_cast<Index>(i));
  }
}

DistinctSamples::DistinctSamples(const MatrixRef& samples, Report& report)
    : repetitions_(samples), kept_(samples, repetitions_.first) {
  if (repetitions_.first.empty()) return;
  report.note("duplicates_merged", fmt::format("{} of {} samples are duplicates of others and share their coordinates",
                                               samples.rows() - rows().rows(), samples.rows()));
}

void DistinctSamples::require_neighbors(int n_neighbors, std::string_view method) const {
  const auto n = static_cast<Index>(repetitions_.number.size());
  const Index different = rows().rows();
  if (n == 0 || n_neighbors < different) return;  // without repetitions the search checks this
  if (different == 1)
    throw InvalidArgument(fmt::format("{}: all {} samples are equal: use samples that differ", method, n));
  throw InvalidArgument(
      fmt::format("{}: n_neighbors = {} must be in 1 … {}: {} of the {} samples are duplicates, only {} are distinct",
                  method, n_neighbors, different - 1, n - different, n, different));
}

Matrix DistinctSamples::contract(const MatrixRef& all) const {
  if (repetitions_.number.empty()) return all;
  Matrix sums = Matrix::Zero(rows().rows(), all.cols());
  Vector counts = Vector::Zero(sums.rows());
  for (Index i = 0; i < all.rows(); ++i) {
    const Index k = repetitions_.number[static_cast<std::size_t>(i)];
    sums.row(k) += all.row(i);
    counts[k] += 1;
  }
  return counts.cwiseInverse().asDiagonal() * sums;
}

Matrix DistinctSamples::expand(Matrix coordinates) const {
  return repetitions_.number.empty() ? coordinates : rows_of(coordinates, repetitions_.number);
}

}  // namespace foldout
