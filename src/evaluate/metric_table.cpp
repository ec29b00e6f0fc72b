// SPDX-License-Identifier: Apache-2.0
#include "evaluate/metric_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/spec_fields.h"
#include "foldout/core/error.h"
#include "foldout/evaluate/metrics.h"

namespace foldout {
namespace {

// Adapt metrics of two matrices, without and with neighbourhoods, to the signature of the table.
template <double (*metric)(const MatrixRef&, const MatrixRef&)>
double pair(const std::vector<Matrix>& m, const NeighborhoodOptions&, const RunContext&) {
  return metric(m[0], m[1]);
}

template <double (*metric)(const MatrixRef&, const MatrixRef&, const NeighborhoodOptions&, const RunContext&)>
double local(const std::vector<Matrix>& m, const NeighborhoodOptions& options, const RunContext& context) {
  return metric(m[0], m[1], options, context);
}

double placement_of(const std::vector<Matrix>& m, const NeighborhoodOptions&, const RunContext&) {
  return placement(m[0], m[1], m[2], m[3]);
}

double likelihood_dimension_of(const std::vector<Matrix>& m, const NeighborhoodOptions& options,
                               const RunContext& context) {
  return intrinsic_dimension(m[0], options, context);
}

double two_neighbor_dimension_of(const std::vector<Matrix>& m, const NeighborhoodOptions&, const RunContext& context) {
  return two_neighbor_dimension(m[0], context);
}

constexpr std::string_view kSamples[] = {"DATA"};
constexpr std::string_view kPair[] = {"A", "B"}, kData[] = {"DATA", "COORDINATES"}, kLabels[] = {"PREDICTED", "TRUE"},
                           kPlacement[] = {"TRAIN", "NEW", "BATCH_TRAIN", "BATCH_NEW"};

constexpr std::array<MetricEntry, 12> kTable{
    {{.name = "procrustes",
      .summary =
          "residual of B after the best shift, rotation and scale of A, as a fraction of its variance; 0 is best",
      .inputs = kPair,
      .of_matrices = pair<procrustes>},
     {.name = "alignment",
      .summary = "distance of A from B after the best rotation, relative to the size of B; 0 is best",
      .inputs = kPair,
      .of_matrices = pair<alignment>},
     {.name = "placement",
      .summary = "distance of new samples from their coordinates in a batch run, after the shift, rotation and scale "
                 "that fit the training samples; 0 is best",
      .inputs = kPlacement,
      .of_matrices = placement_of},
     {.name = "local_procrustes",
      .summary = "mean Procrustes residual of the neighbourhoods; 0 is best",
      .inputs = kData,
      .uses_neighbors = true,
      .of_matrices = local<local_procrustes>},
     {.name = "rmse",
      .summary = "root of the mean squared distance between the rows of A and B; 0 is best",
      .inputs = kPair,
      .of_matrices = pair<rmse>},
     {.name = "trustworthiness",
      .summary = "whether neighbours in the coordinates are neighbours in the data; 1 is best",
      .inputs = kData,
      .uses_neighbors = true,
      .of_matrices = local<trustworthiness>},
     {.name = "continuity",
      .summary = "whether neighbours in the data are neighbours in the coordinates; 1 is best",
      .inputs = kData,
      .uses_neighbors = true,
      .of_matrices = local<continuity>},
     {.name = "neighbor_overlap",
      .summary = "mean fraction of the nearest neighbours that data and coordinates share; 1 is best",
      .inputs = kData,
      .uses_neighbors = true,
      .of_matrices = local<neighbor_overlap>},
     {.name = "intrinsic_dimension",
      .summary = "dimension of the manifold that the samples lie on, by maximum likelihood over their neighbours",
      .inputs = kSamples,
      .uses_neighbors = true,
      .of_matrices = likelihood_dimension_of},
     {.name = "two_neighbor_dimension",
      .summary = "dimension of the manifold that the samples lie on, by the distances to their two nearest neighbours",
      .inputs = kSamples,
      .of_matrices = two_neighbor_dimension_of},
     {.name = "accuracy",
      .summary = "fraction of predicted labels that are true; 1 is best",
      .inputs = kLabels,
      .of_labels = accuracy},
     {.name = "clustering_error",
      .summary = "fraction of samples in the wrong cluster under the best assignment of clusters to classes; 0 is best",
      .inputs = kLabels,
      .of_labels = clustering_error}}};

}  // namespace

std::span<const MetricEntry> metric_table() { return kTable; }

const MetricEntry& find_metric(std::string_view name) {
  const auto found = std::ranges::find_if(kTable, [&](const MetricEntry& m) { return same_name(m.name, name); });
  if (found != kTable.end()) return *found;
  std::vector<std::string_view> names;
  names.reserve(kTable.size());
  for (const MetricEntry& entry : kTable) names.push_back(entry.name);
  throw InvalidArgument(fmt::format("there is no metric '{}'{}", name, suggest(name, names)));
}

double score(const MetricEntry& metric, const std::vector<Matrix>& inputs, const NeighborhoodOptions& options,
             const RunContext& context) {
  if (!metric.of_matrices)
    throw InvalidArgument(fmt::format("{} compares labels, not numbers: give it two label files", metric.name));
  if (inputs.size() != metric.inputs.size())
    throw InvalidArgument(fmt::format("{} takes {} files ({}), but {} were given", metric.name, metric.inputs.size(),
                                      fmt::join(metric.inputs, " "), inputs.size()));
  return metric.of_matrices(inputs, options, context);
}

}  // namespace foldout
