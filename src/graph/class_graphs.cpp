// SPDX-License-Identifier: Apache-2.0
#include "graph/class_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/check.h"
#include "core/parallel.h"

namespace foldout {

SparseMatrix class_graph(const std::vector<int>& labels, const ClassGraphOptions& options,
                         const std::function<double(Index, Index)>& similarity,
                         const std::function<double(Index, Index)>& weight, const RunContext& context) {
  const auto n = static_cast<Index>(labels.size());
  if (!options.n_neighbors) {
    std::map<int, double> sizes;
    for (const int label : labels) sizes[label] += 1;
    double same = 0;
    for (const auto& [label, size] : sizes) same += size * size;
    const double all = static_cast<double>(n) * static_cast<double>(n);
    require_memory(60 * (options.kinship == Kinship::kSame ? same : all - same),
                   fmt::format("joining all samples of {} among {}",
                               options.kinship == Kinship::kSame ? "a class" : "different classes", n),
                   "join the nearest only", context.memory_limit);
  }
  const auto label = [&](Index i) { return labels[static_cast<std::size_t>(i)]; };
  std::vector<std::vector<int>> named(labels.size());  // the samples that each sample selects
  const auto name_nearest = [&](Index i) {
    std::vector<std::pair<double, int>> kin;  // (−similarity, sample)
    for (Index j = 0; j < n; ++j)
      if (j != i && (label(j) == label(i)) == (options.kinship == Kinship::kSame))
        kin.emplace_back(options.n_neighbors ? -similarity(i, j) : 0.0, static_cast<int>(j));
    const std::size_t k = options.n_neighbors ? static_cast<std::size_t>(*options.n_neighbors) : kin.size();
    if (k < kin.size()) {
      std::ranges::nth_element(kin, kin.begin() + static_cast<std::ptrdiff_t>(k));
      kin.resize(k);
    }
    for (const auto& [unused, j] : kin) named[static_cast<std::size_t>(i)].push_back(j);
  };
  parallel_for(n, context, name_nearest, "graph");
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i)
    for (const int j : named[static_cast<std::size_t>(i)]) {
      entries.emplace_back(static_cast<int>(i), j, 1.0);
      entries.emplace_back(j, static_cast<int>(i), 1.0);
    }
  SparseMatrix W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());  // 2 if each selects the other
  W.prune([&](Index i, Index j, double& count) {
    if (options.mutual && count < 2) return false;
    count = weight(std::min(i, j), std::max(i, j));
    return count != 0;
  });
  W.makeCompressed();
  return W;
}

}  // namespace foldout
