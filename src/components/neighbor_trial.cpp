// SPDX-License-Identifier: Apache-2.0
#include "components/neighbor_trial.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace foldout {
namespace {

constexpr Index kNeighbors = 5;

NeighborTable nearest_of(const Matrix& rows, const Matrix& queries, const RunContext& context) {
  return make_neighbor_index(rows)->query(queries, std::min(kNeighbors, rows.rows()), context);
}

// The label with the most votes; ties go to the nearest sample's.
int voted(std::span<const int> neighbors, const std::vector<int>& labels) {
  std::map<int, int> votes;
  for (const int j : neighbors) ++votes[labels[static_cast<std::size_t>(j)]];
  int winner = labels[static_cast<std::size_t>(neighbors[0])];
  for (const int j : neighbors)
    if (const int label = labels[static_cast<std::size_t>(j)]; votes[label] > votes[winner]) winner = label;
  return winner;
}

}  // namespace

NeighborTrial::NeighborTrial(const Matrix& train, const Matrix& held, std::vector<int> train_labels,
                             std::vector<int> held_labels, const RunContext& context)
    : nearest_(nearest_of(train, held, context)),
      train_labels_(std::move(train_labels)),
      held_labels_(std::move(held_labels)) {}

NeighborFigures NeighborTrial::measure(const Matrix& coordinates, const Matrix& placed,
                                       const RunContext& context) const {
  const NeighborTable on_map = nearest_of(coordinates, placed, context);
  NeighborFigures figures;
  for (Index i = 0; i < placed.rows(); ++i) {
    const auto found = on_map.of(i), wanted = nearest_.of(i);
    const auto common =
        std::ranges::count_if(found, [&](int j) { return std::ranges::find(wanted, j) != wanted.end(); });
    figures.kept.push_back(static_cast<double>(common) / static_cast<double>(on_map.k));
    if (!train_labels_.empty())
      figures.hits.push_back(voted(found, train_labels_) == held_labels_[static_cast<std::size_t>(i)] ? 1 : 0);
  }
  return figures;
}

Deficit deficit(const std::vector<double>& best, const std::vector<double>& other) {
  const auto n = static_cast<double>(best.size());
  Deficit result;
  for (std::size_t i = 0; i < best.size(); ++i) result.mean += (best[i] - other[i]) / n;
  double sum = 0;
  for (std::size_t i = 0; i < best.size(); ++i) sum += std::pow(best[i] - other[i] - result.mean, 2);
  result.standard_error = n > 1 ? std::sqrt(sum / (n * (n - 1))) : 0;
  return result;
}

}  // namespace foldout
