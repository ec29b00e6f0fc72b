// SPDX-License-Identifier: Apache-2.0
// The k nearest neighbours of every sample as lists whose graph is connected, for LLE, Hessian LLE, LTSA and the
// explicit maps derived from them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/rows.h"
#include "foldout/core/choices.h"
#include "foldout/core/context.h"
#include "foldout/core/report.h"
#include "foldout/core/types.h"
#include "neighbors/neighbors.h"

namespace foldout {

struct NeighborListOptions {
  int n_neighbors = 10;
  Metric metric = Metric::kEuclidean;
  NeighborSearch search = NeighborSearch::kAuto;
  Components components = Components::kConnect;
  std::uint64_t seed = 0;
};

struct Neighborhoods {
  std::vector<Index> first;    ///< list i is neighbors[first[i] … first[i+1])
  std::vector<int> neighbors;  ///< nearest first; bridges between components, if any, at the end
  std::vector<double> distances;
  std::vector<Index> kept;  ///< the samples that have lists, in order; empty: all

  [[nodiscard]] Index size() const { return static_cast<Index>(first.size()) - 1; }
  [[nodiscard]] std::span<const int> of(Index i) const {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(first[static_cast<std::size_t>(i) + 1]);
    return {neighbors.data() + begin, end - begin};
  }
};

/// Neighbour lists whose graph is connected. Components are joined by the shortest bridges (each bridge is in the lists
/// of both its ends), or all except the largest are left out, or it is an error; the report states what was done. If
/// components are left out, indices refer to the kept samples.
[[nodiscard]] Neighborhoods find_neighborhoods(const MatrixRef& samples, const NeighborListOptions& options,
                                               const RunContext& context, Report& report);

/// Samples without repetitions. Equal samples make the local systems of LLE, Hessian LLE and LTSA singular, and must
/// get equal coordinates anyway: these methods embed each distinct sample once. The report notes repetitions.
class DistinctSamples {
 public:
  DistinctSamples(const MatrixRef& samples, Report& report);
  [[nodiscard]] const MatrixRef& rows() const { return kept_.rows(); }
  /// If there are repetitions, throws InvalidArgument unless n_neighbors is less than the number of distinct samples.
  void require_neighbors(int n_neighbors, std::string_view method) const;
  /// From one row per sample to one per distinct sample: the mean over equal samples.
  [[nodiscard]] Matrix contract(const MatrixRef& rows) const;
  /// From the coordinates of the distinct samples to those of all samples.
  [[nodiscard]] Matrix expand(Matrix coordinates) const;

 private:
  struct Repetitions {
    std::vector<Index> first;   // of equal samples, in the order of the samples; empty: all are distinct
    std::vector<Index> number;  // of each sample among the distinct ones
    explicit Repetitions(const MatrixRef& samples);
  };
  Repetitions repetitions_;
  KeptSamples kept_;
};

}  // namespace foldout
