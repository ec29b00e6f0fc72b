// SPDX-License-Identifier: Apache-2.0
// Private: whether held-out samples are placed among the right training samples. The mean squared error favours means
// of several training samples even where these fall between clusters; neighbours do not.
#pragma once

#include <vector>

#include "foldout/core/context.h"
#include "foldout/core/types.h"
#include "neighbors/neighbors.h"

namespace foldout {

/// Figures of every held-out sample, from its five nearest training samples on the map.
struct NeighborFigures {
  std::vector<double> kept;  ///< the fraction of them that are its five nearest in the data, too
  std::vector<double> hits;  ///< 1 if they vote for its label, else 0; empty without labels
};

class NeighborTrial {
 public:
  /// Labels may be empty.
  NeighborTrial(const Matrix& train, const Matrix& held, std::vector<int> train_labels, std::vector<int> held_labels,
                const RunContext& context);
  /// `coordinates` of the training samples, `placed` of the held-out ones.
  [[nodiscard]] NeighborFigures measure(const Matrix& coordinates, const Matrix& placed,
                                        const RunContext& context) const;

 private:
  NeighborTable nearest_;  // in the data
  std::vector<int> train_labels_, held_labels_;
};

/// The mean of best − other, and its standard error: differences sample by sample vary less than the figures.
struct Deficit {
  double mean = 0, standard_error = 0;
};
[[nodiscard]] Deficit deficit(const std::vector<double>& best, const std::vector<double>& other);

}  // namespace foldout
