// SPDX-License-Identifier: Apache-2.0
// Private: the inner loops of the search by leaves, compiled for several instruction sets.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "foldout/core/types.h"
#include "neighbors/nearest_set.h"

namespace foldout {

inline constexpr Index kLeaf = 8;  // samples

/// Feature by feature, in the order of the leaves; the last leaf is filled with points at infinity. `names` are the
/// indices of the samples.
struct LeafColumns {
  const double* x;
  const double* y;
  const double* z;  ///< null in two dimensions
  const std::int64_t* names;
};

/// The k nearest samples found so far for every sample of a leaf, sorted by (measure, name); at first, k at infinity.
class LeafSets {
 public:
  explicit LeafSets(Index k);
  void clear();
  [[nodiscard]] double* measures(Index i) { return measures_.data() + i * stride_ + 1; }
  [[nodiscard]] std::int64_t* names(Index i) { return names_.data() + i * stride_ + 1; }
  [[nodiscard]] Index last() const { return k_ - 1; }
  /// A sample at this measure or above cannot become one of the k nearest.
  [[nodiscard]] double worst(Index i) const {
    return measures_[static_cast<std::size_t>(i * stride_ + k_)] * kSlack + std::numeric_limits<double>::min();
  }

 private:
  Index k_, stride_;  // every list follows an entry at −∞
  std::vector<double> measures_;
  std::vector<std::int64_t> names_;
};

/// Compares the samples `queries` (positions in the leaf that begins at `own`) with all samples of the leaf that begins
/// at `other`, and updates their sets and bounds.
void compare_leaves(const LeafColumns& columns, Index own, std::span<const int> queries, Index other, LeafSets& sets,
                    double* worst);

}  // namespace foldout
