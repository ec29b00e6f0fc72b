// SPDX-License-Identifier: Apache-2.0
#include "graph/geodesics.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/parallel.h"
#include "graph/path_factor.h"

namespace foldout {
namespace {

// Four children per node: a shallower heap with siblings adjacent in memory.
constexpr std::size_t kArity = 4;

}  // namespace

ShortestPaths::ShortestPaths(const SparseMatrix& lengths) : lengths_(lengths) {
  heap_.reserve(static_cast<std::size_t>(lengths.rows()));
}

void ShortestPaths::push(Entry entry) {
  std::size_t at = heap_.size();
  heap_.push_back(entry);
  while (at > 0) {
    const std::size_t parent = (at - 1) / kArity;
    if (heap_[parent].distance <= entry.distance) break;
    heap_[at] = heap_[parent];
    at = parent;
  }
  heap_[at] = entry;
}

ShortestPaths::Entry ShortestPaths::pop() {
  const Entry top = heap_.front();
  const Entry last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return top;
  std::size_t at = 0;
  for (;;) {
    const std::size_t first = at * kArity + 1;
    if (first >= size) break;
    std::size_t least = first;
    for (std::size_t child = first + 1; child < std::min(first + kArity, size); ++child)
      if (heap_[child].distance < heap_[least].distance) least = child;
    if (heap_[least].distance >= last.distance) break;
    heap_[at] = heap_[least];
    at = least;
  }
  heap_[at] = last;
  return top;
}

void ShortestPaths::from(std::span<const std::pair<int, double>> starts, std::span<double> distances) {
  std::ranges::fill(distances, std::numeric_limits<double>::infinity());
  heap_.clear();
  for (const auto& [node, distance] : starts)
    if (distance < distances[static_cast<std::size_t>(node)]) {
      distances[static_cast<std::size_t>(node)] = distance;
      push({distance, node});
    }
  const int* first = lengths_.outerIndexPtr();
  const int* node_of = lengths_.innerIndexPtr();
  const double* length_of = lengths_.valuePtr();
  while (!heap_.empty()) {
    const Entry nearest = pop();
    if (nearest.distance > distances[static_cast<std::size_t>(nearest.node)]) continue;  // reached by a shorter path
    for (int e = first[nearest.node]; e < first[nearest.node + 1]; ++e) {
      const double through = nearest.distance + length_of[e];
      double& best = distances[static_cast<std::size_t>(node_of[e])];
      if (through < best) {
        best = through;
        push({through, node_of[e]});
      }
    }
  }
}

Matrix geodesic_distances(const SparseMatrix& lengths, const std::vector<Index>& sources, const RunContext& context) {
  const Index n = lengths.rows(), n_sources = static_cast<Index>(sources.size());
  Matrix distances(n_sources, n);
  if (const auto factor = eliminated(lengths, n_sources)) {
    parallel_blocks(
        n_sources, PathFactor::kLanes, context,
        [&](Index begin, Index end) {
          factor->distances(sources.data() + begin, end - begin, distances.middleRows(begin, end - begin));
        },
        "geodesics");
    return distances;
  }
  constexpr Index kBlock = 16;
  parallel_blocks(
      n_sources, kBlock, context,
      [&](Index begin, Index end) {
        ShortestPaths paths(lengths);
        for (Index s = begin; s < end; ++s) {
          const std::array start{std::pair{static_cast<int>(sources[static_cast<std::size_t>(s)]), 0.0}};
          paths.from(start, {distances.row(s).data(), static_cast<std::size_t>(n)});
        }
      },
      "geodesics");
  return distances;
}

}  // namespace foldout
