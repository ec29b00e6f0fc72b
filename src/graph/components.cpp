// SPDX-License-Identifier: Apache-2.0
#include "graph/components.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "foldout/core/choices.h"
#include "foldout/core/error.h"
#include "neighbors/neighbors.h"

namespace foldout {

int ComponentMap::largest() const { return static_cast<int>(std::ranges::max_element(sizes) - sizes.begin()); }

std::vector<Index> ComponentMap::members(int which) const {
  std::vector<Index> members;
  for (std::size_t i = 0; i < component.size(); ++i)
    if (component[i] == which) members.push_back(static_cast<Index>(i));
  return members;
}

std::string ComponentMap::describe() const {
  std::vector<Index> sorted = sizes;
  std::ranges::sort(sorted, std::greater{});
  constexpr std::size_t kShown = 5;
  std::string list;
  for (std::size_t i = 0; i < std::min(kShown, sorted.size()); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : (i + 1 == sorted.size() ? " and " : ", "), sorted[i]);
  return fmt::format("{} components of {}{} samples", sizes.size(), list, sorted.size() > kShown ? ", …" : "");
}

ComponentBuilder::ComponentBuilder(Index n) : parent_(static_cast<std::size_t>(n)) {
  std::iota(parent_.begin(), parent_.end(), Index{0});
}

Index ComponentBuilder::root(Index i) {
  while (parent_[static_cast<std::size_t>(i)] != i) {
    auto& parent = parent_[static_cast<std::size_t>(i)];
    parent = parent_[static_cast<std::size_t>(parent)];
    i = parent;
  }
  return i;
}

bool ComponentBuilder::join(Index a, Index b) {
  a = root(a);
  b = root(b);
  parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  return a != b;
}

ComponentMap ComponentBuilder::components() {
  ComponentMap map;
  map.component.assign(parent_.size(), -1);
  for (std::size_t i = 0; i < parent_.size(); ++i) {
    int& number = map.component[static_cast<std::size_t>(root(static_cast<Index>(i)))];
    if (number < 0) {  // the root is the smallest of its component and comes first
      number = map.count();
      map.sizes.push_back(0);
    }
    map.component[i] = number;
    ++map.sizes[static_cast<std::size_t>(number)];
  }
  return map;
}

ComponentMap find_components(const SparseMatrix& graph) {
  ComponentBuilder builder(graph.rows());
  for (Index i = 0; i < graph.rows(); ++i)
    for (SparseMatrix::InnerIterator it(graph, i); it; ++it) builder.join(i, it.col());
  return builder.components();
}

ComponentRepair repair_components(const MatrixRef& samples, ComponentBuilder& builder,
                                  const NeighborListOptions& options, std::string_view remedy,
                                  const RunContext& context, Report& report) {
  ComponentRepair repair;
  ComponentMap map = builder.components();
  if (map.count() == 1) return repair;
  const std::string parts = map.describe();
  report.figure("components", map.count());
  if (options.components == Components::kError)
    throw InvalidArgument(fmt::format("the neighbourhood graph has {}: {}set components=connect", parts,
                                      remedy.empty() ? "" : fmt::format("{} or ", remedy)));
  if (options.components == Components::kLargest) {
    repair.kept = map.members(map.largest());
    report.note("components_left_out",
                fmt::format("the neighbourhood graph had {}; only the largest was embedded, the other {} samples "
                            "were placed by their reconstruction weights over it",
                            parts, samples.rows() - static_cast<Index>(repair.kept.size())));
    return repair;
  }
  double longest = 0;
  const NeighborOptions search{options.metric, options.search, options.seed};
  while (map.count() > 1) {  // Borůvka: every round at least halves the number of components
    for (const Gap& gap : closest_gaps(samples, map.component, map.count(), search, context)) {
      if (!builder.join(gap.from, gap.to)) continue;  // two components share a bridge, or equal bridges form a cycle
      longest = std::max(longest, gap.distance);
      repair.bridges.push_back(gap);
    }
    map = builder.components();
  }
  report.figure("bridges", static_cast<double>(repair.bridges.size()));
  report.note("components_joined",
              fmt::format("the neighbourhood graph had {}; joined by {} shortest bridges, the longest {:.4g}", parts,
                          repair.bridges.size(), longest));
  return repair;
}

}  // namespace foldout
