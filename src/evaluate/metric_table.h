// SPDX-License-Identifier: Apache-2.0
// The metrics by name, for the command line and its help texts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foldout/core/context.h"
#include "foldout/evaluate/metrics.h"

namespace foldout {

struct MetricEntry {
  std::string_view name;
  std::string_view summary;
  std::span<const std::string_view> inputs;  ///< the contents of each file, in order
  bool uses_neighbors = false;               ///< whether n_neighbors matters
  /// One of the two is null: metrics compare numbers or labels.
  double (*of_matrices)(const std::vector<Matrix>& inputs, const NeighborhoodOptions& options,
                        const RunContext& context) = nullptr;
  double (*of_labels)(const std::vector<std::string>& predicted, const std::vector<std::string>& truth) = nullptr;
};

/// procrustes, …, clustering_error.
[[nodiscard]] std::span<const MetricEntry> metric_table();

/// Throws InvalidArgument with a suggestion if there is no such metric.
[[nodiscard]] const MetricEntry& find_metric(std::string_view name);

/// A metric of matrices; their number must be that of its inputs.
[[nodiscard]] double score(const MetricEntry& metric, const std::vector<Matrix>& inputs,
                           const NeighborhoodOptions& options = {}, const RunContext& context = {});

}  // namespace foldout
