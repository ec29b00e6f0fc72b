// SPDX-License-Identifier: Apache-2.0
// Private: the nearest samples found so far in the traversal of a KD-tree.
#pragma once

#include <limits>
#include <vector>

#include "neighbors/neighbors.h"
#include "neighbors/searches.h"

namespace foldout {

// The bounds of the tree are rounded too: search slightly beyond the worst kept distance, so that no tie is missed.
inline constexpr double kSlack = 1 + 1e-12;

inline constexpr int kNone = -1;

// The k nearest by (distance, index), kept sorted by insertion: k is small.
class NearestSet {
 public:
  using DistanceType = double;
  /// `names` maps places in the tree to samples; null for the identity.
  explicit NearestSet(Index k, const int* names = nullptr) : k_(static_cast<std::size_t>(k)), names_(names) {
    kept_.reserve(k_ + 1);
  }
  [[nodiscard]] std::size_t size() const { return kept_.size(); }
  [[nodiscard]] bool full() const { return kept_.size() == k_; }
  [[nodiscard]] double worstDist() const {
    return full() ? kept_.back().measure * kSlack + std::numeric_limits<double>::min()
                  : std::numeric_limits<double>::infinity();
  }
  bool addPoint(double distance, int place) {
    if (place == excluded_) return true;
    const int index = names_ ? names_[place] : place;
    const auto before = [&](const Candidate& other) {
      return distance < other.measure || (distance == other.measure && index < other.index);
    };
    if (full() && !before(kept_.back())) return true;
    if (!full()) kept_.emplace_back();
    std::size_t at = kept_.size() - 1;
    for (; at > 0 && before(kept_[at - 1]); --at) kept_[at] = kept_[at - 1];
    kept_[at] = {distance, index};
    return true;
  }
  [[nodiscard]] const Candidate& nearest() const { return kept_.front(); }
  void write(Index i, NeighborTable& table) const {
    for (std::size_t j = 0; j < k_; ++j) {
      table.indices[static_cast<std::size_t>(i) * k_ + j] = kept_[j].index;
      table.distances[static_cast<std::size_t>(i) * k_ + j] = kept_[j].measure;
    }
  }
  /// Empties the set; the sample at place `excluded` will be ignored.
  void clear(int excluded) {
    kept_.clear();
    excluded_ = excluded;
  }

 private:
  std::size_t k_;
  const int* names_;
  int excluded_ = kNone;
  std::vector<Candidate> kept_;
};

}  // namespace foldout
