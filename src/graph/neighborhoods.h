// SPDX-License-Identifier: Apache-2.0
// The k nearest neighbours of every sample as lists that hang together: what LLE, Hessian LLE and LTSA start from,
// and the edges of the k-NN graphs.
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
  std::vector<int> neighbors;  ///< nearest first; bridges between parts, if any, at the end
  std::vector<double> distances;
  std::vector<Index> kept;  ///< the samples that the lists are about, in order; empty: all of them

  [[nodiscard]] Index size() const { return static_cast<Index>(first.size()) - 1; }
  [[nodiscard]] std::span<const int> of(Index i) const {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(i)]);
    const auto end = static_cast<std::size_t>(first[static_cast<std::size_t>(i) + 1]);
    return {neighbors.data() + begin, end - begin};
  }
};

/// Neighbour lists whose graph is connected. Parts are joined by the shortest bridges between them (each bridge
/// stands in the lists of both its ends), or all but the largest part is left out, or it is an error; in any case the
/// report says so. With parts left out, indices count the kept samples.
[[nodiscard]] Neighborhoods find_neighborhoods(const MatrixRef& samples, const NeighborListOptions& options,
                                               const RunContext& context, Report& report);

/// Samples without repetitions. Equal samples make the local systems of LLE, Hessian LLE and LTSA singular, and must
/// get equal coordinates anyway: these methods embed each distinct sample once. A note says so where there were any.
class DistinctSamples {
 public:
  DistinctSamples(const MatrixRef& samples, Report& report);
  [[nodiscard]] const MatrixRef& rows() const { return kept_.rows(); }
  /// Refuses as many neighbours as there are distinct samples, or more.
  void require_neighbors(int n_neighbors, std::string_view method) const;
  /// Rows about all samples, for the distinct ones: of equal samples the mean.
  [[nodiscard]] Matrix contract(const MatrixRef& rows) const;
  /// Coordinates of the distinct samples, for all samples.
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
